/** Environment variables, as a value: only `entry/` reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;
