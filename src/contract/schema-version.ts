// Apart from the schema itself: whoever only writes documents need not load what validates them.

/** Version of the run document that this build writes. Minor versions only add; a breaking change bumps the major. */
export const SCHEMA_VERSION = "1.0";
