/** A setting that cannot be used, in words for who has set it. */
export class ConfigError extends Error {}
