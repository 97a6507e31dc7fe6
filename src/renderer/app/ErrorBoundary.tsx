import type { ReactNode } from 'react'
import { Component } from 'react'
import { text } from '../text/text.ts'
import { Button } from '../ui/Button.tsx'
import styles from './ErrorBoundary.module.css'

interface Props {
  readonly children: ReactNode
}

interface BoundaryState {
  readonly message: string | null
}

/** Shows the page's last error. React requires a class for this; `createRoot` logs the error. */
export class ErrorBoundary extends Component<Props, BoundaryState> {
  override state: BoundaryState = { message: null }

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { message: error instanceof Error ? error.message : String(error) }
  }

  override render(): ReactNode {
    const { message } = this.state
    if (message === null) return this.props.children
    return (
      <main className={styles['page']} role="alert">
        <h1>{text.frame.error.title}</h1>
        <p>{text.frame.error.rule}</p>
        <pre className={styles['message']}>{message}</pre>
        <Button variant="primary" onClick={() => window.location.reload()}>
          {text.frame.error.reload}
        </Button>
      </main>
    )
  }
}
