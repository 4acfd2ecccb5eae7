import type { ReactNode } from 'react'
import classes from './FactList.module.css'

/** Names and values, side by side; under one another where there is no room. */
export function FactList({ facts }: { facts: readonly [ReactNode, ReactNode][] }) {
  return (
    <dl className={classes.list}>
      {facts.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a thing stay where they are
        <div key={index} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
