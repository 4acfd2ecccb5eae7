const rules = ['type', 'const', 'anyOf', 'allOf', 'oneOf', 'not', 'enum', 'pattern', '~refine']

/** Returns true if the schema can reject a value; `Type.Unknown()` cannot. */
export function isChecked(schema: object | undefined): boolean {
  return schema !== undefined && rules.some((rule) => rule in schema)
}
