/** The subject of the alert `backup-failed` when a backup has not even been tried, or does not come to an end. */
export const overdue = 'overdue'
