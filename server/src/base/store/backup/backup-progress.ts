/** How far a backup or a restore has come. */
export interface BackupProgress {
  table: string
  /** The table is this one of `tables`. */
  number: number
  tables: number
  /** Of all tables so far. */
  rows: number
}

export type OnProgress = (progress: BackupProgress) => void
