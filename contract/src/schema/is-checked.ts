const rules = ['type', 'const', 'anyOf', 'allOf', 'oneOf', 'not', 'enum', 'pattern', '~refine']

/** Whether a schema refuses any value at all; `Type.Unknown()` does not. */
export function isChecked(schema: object | undefined): boolean {
  return schema !== undefined && rules.some((rule) => rule in schema)
}
