import type { ReactNode } from 'react'
import { Component } from 'react'
import { Button } from '../ui/Button.tsx'
import styles from './ErrorBoundary.module.css'

interface Props {
  readonly children: ReactNode
}

interface BoundaryState {
  readonly message: string | null
}

/** The last net of the page: React asks for a class here. The error itself goes to the log through `createRoot`. */
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
        <h1>Page error</h1>
        <p>
          The node and its pods are not affected; only this page failed. The program’s log has the
          error.
        </p>
        <pre className={styles['message']}>{message}</pre>
        <Button look="primary" onClick={() => window.location.reload()}>
          Reload view
        </Button>
      </main>
    )
  }
}
