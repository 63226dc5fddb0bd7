/** Longest question that a team's server takes, in UTF-16 units; as long as those of prompts. */
export const MAX_TEAM_QUERY_CHARS = 8_000;
