/** Maximum length in UTF-16 units of a question to a team's server; the same as for prompts. */
export const MAX_TEAM_QUERY_CHARS = 8_000;
