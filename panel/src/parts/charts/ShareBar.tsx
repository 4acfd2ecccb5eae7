import classes from './ShareBar.module.css'

/** How much of the whole it is. The number stands beside it. */
export function ShareBar({ share }: { share: number }) {
  return (
    <div className={classes.track} aria-hidden="true">
      <div className={classes.bar} style={{ inlineSize: `${Math.min(100, Math.max(0, share * 100))}%` }} />
    </div>
  )
}
