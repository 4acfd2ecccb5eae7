export interface App {
  id: number
  label: string
  name: string
  settings: Record<string, unknown>
  createdAt: Date
}

export interface AppRow {
  app_id: number
  label: string
  name: string
  settings: Record<string, unknown>
  created_at: Date
}

export function readApp(row: AppRow): App {
  return { id: row.app_id, label: row.label, name: row.name, settings: row.settings, createdAt: row.created_at }
}
