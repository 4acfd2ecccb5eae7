import classes from './AppIcon.module.css'
import { Picture } from './Picture.tsx'
import { pictureUrl } from './shown-notification.ts'

/** The app's icon, or its first letter. */
export function AppIcon({
  name,
  src,
  className,
}: {
  name: string
  src: string | undefined
  className: string | undefined
}) {
  const letter = (
    <span className={`${classes.letter} ${className}`} aria-hidden>
      {[...name.trim()][0]?.toLocaleUpperCase() ?? '?'}
    </span>
  )
  return <Picture src={pictureUrl(src)} className={className} instead={letter} />
}
