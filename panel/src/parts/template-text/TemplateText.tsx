import { splitTemplate } from './split-template.ts'
import classes from './TemplateText.module.css'

/** A text as it was written, with its variables marked by their names. */
export function TemplateText({ children }: { children: string }) {
  return splitTemplate(children).map(({ kind, text }, index) =>
    kind === 'words' ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have an order and no names
      <bdi key={index} className={classes.variable}>
        {text}
      </bdi>
    ),
  )
}
