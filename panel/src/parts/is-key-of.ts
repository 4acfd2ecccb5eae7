/** Whether a text from outside, such as an address, is one of the names. */
export function isKeyOf<Names extends object>(names: Names, name: PropertyKey): name is keyof Names {
  return Object.hasOwn(names, name)
}
