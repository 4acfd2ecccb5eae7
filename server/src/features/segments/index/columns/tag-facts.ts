import { NotKept } from '../not-kept.ts'
import type { Bitmap } from './bitmap.ts'
import { CodedValues } from './coded-values.ts'
import { Owners } from './owners.ts'

/** Most tags have no values, and values take a byte. */
const manyShare = 1 / 64

/** Which users have a tag, and with which value. */
export class TagFacts {
  private readonly users = new Owners()
  private readonly values = new CodedValues<string>('table')

  put(user: number, value: string | undefined, rows: number): void {
    this.values.set(this.users.add(user), value)
    const table = this.users.becomeMany(rows, manyShare)
    if (table) this.values.layByRow(table)
  }

  remove(user: number): void {
    const place = this.users.remove(user)
    if (place !== undefined) this.values.set(place, undefined)
  }

  find(rows: number): Bitmap {
    return this.users.find(rows)
  }

  findValues(rows: number, passes: (value: string) => boolean): Bitmap {
    if (!this.values.isKept) throw new NotKept('The tag has too many different values.')
    return this.values.find(rows, passes, this.users.table)
  }
}
