import manifest from "../../package.json" with { type: "json" };

/** Version of this build. */
export const VERSION: string = manifest.version;
