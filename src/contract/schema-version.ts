// Separate from the schema, so that code that only writes documents need not load the validator.

/** Version of the run document that this build writes. Minor versions only add; a breaking change bumps the major. */
export const SCHEMA_VERSION = "1.0";
