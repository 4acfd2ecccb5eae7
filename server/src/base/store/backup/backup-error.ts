/** Its message is one line, meant for the person who makes or restores a backup. */
export class BackupError extends Error {}

/** The file that a backup was to be written to cannot be used. Nothing was read or written. */
export class RefusedFileError extends BackupError {}
