import type { ReactNode } from 'react'
import styles from './Lesson.module.css'

/** Something to try: a picture, a sentence, and how to do it. */
export function Lesson({
  title,
  picture,
  words,
  children,
}: {
  readonly title: string
  readonly picture: ReactNode
  readonly words: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <li className={styles['lesson']}>
      <div className={styles['picture']}>{picture}</div>
      <div className={styles['text']}>
        <h2 className={styles['title']}>
          <span className={styles['number']} aria-hidden="true" />
          {title}
        </h2>
        <p className={styles['words']}>{words}</p>
        {children}
      </div>
    </li>
  )
}
