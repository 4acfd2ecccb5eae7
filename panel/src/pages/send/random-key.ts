/** A key that no other request has. `crypto.randomUUID` is missing where the panel is opened without https. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
