/** The file as a whole cannot be imported. */
export class ImportFault extends Error {}
