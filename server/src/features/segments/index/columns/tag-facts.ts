import { NotKept } from '../not-kept.ts'
import type { Bitmap } from './bitmap.ts'
import { CodedValues } from './coded-values.ts'
import { KeyTable } from './key-table.ts'
import { scanKeys, scanPlacedCodes } from './scan.ts'

/** Which users have a tag, and with which value. */
export class TagFacts {
  private readonly users = new KeyTable('narrow')
  private readonly values = new CodedValues<string>()

  put(user: number, value: string | undefined): void {
    this.values.set(this.users.add(user), value)
  }

  remove(user: number): void {
    this.users.remove(user)
  }

  find(rows: number): Bitmap {
    return scanKeys(this.users, rows)
  }

  findValues(rows: number, passes: (value: string) => boolean): Bitmap {
    if (!this.values.isKept) throw new NotKept('The tag has too many different values.')
    return scanPlacedCodes(this.users, this.values.codes, rows, this.values.judge(passes))
  }
}
