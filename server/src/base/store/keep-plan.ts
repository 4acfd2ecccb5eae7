/**
 * The text of a statement that runs all the time, such that PostgreSQL keeps one plan for it. Of a parameter that is an
 * array, PostgreSQL would look at the length and, where that is small, make a plan anew each time; with many partitions
 * that takes several times as long as following it. Of what a subquery answers it does not know the length.
 */
export function keepPlan(text: string): string {
  return text.replaceAll(arrayParameter, '(select $1)::$2')
}

const arrayParameter = /(\$\d+::(\w+\[\]))/g

/** The text as it was written. */
export function asWritten(text: string): string {
  return text.replaceAll(/\(select (\$\d+::\w+\[\])\)::\w+\[\]/g, '$1')
}
