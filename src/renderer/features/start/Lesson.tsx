import type { ReactNode } from 'react'
import styles from './Lesson.module.css'

/** One thing to try: a picture of it, a sentence, the line for the terminal. */
export function Lesson({
  number,
  title,
  picture,
  words,
  children,
}: {
  readonly number: number
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
          <span className={styles['number']} aria-hidden="true">
            {number}
          </span>
          {title}
        </h2>
        <p className={styles['words']}>{words}</p>
        {children}
      </div>
    </li>
  )
}
