/** Its message is one line, meant for the person who makes or restores a backup. */
export class BackupError extends Error {}

/** The target file of a backup cannot be used. Nothing was read or written. */
export class RefusedFileError extends BackupError {}
