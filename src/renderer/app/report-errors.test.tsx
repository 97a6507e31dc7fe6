import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FakeBridge } from '../bridge/fake-bridge.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { reportErrors } from './report-errors.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Broken(): never {
  throw new Error('the picture is broken')
}

describe('the error boundary', () => {
  it('says that only the page failed, and why', () => {
    // React also logs a caught error to the console.
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    render(
      <ErrorBoundary>
        <Broken />
      </ErrorBoundary>,
    )
    expect(screen.getByRole('heading', { name: 'Page error' })).toBeTruthy()
    expect(screen.getByText('the picture is broken')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Reload view' })).toBeTruthy()
  })
})

describe('reportErrors', () => {
  it('sends uncaught errors to the log', () => {
    const bridge = new FakeBridge()
    const target = new EventTarget()
    const report = reportErrors(bridge, target)
    const cause = new Error('no such row')
    report.error(cause)
    target.dispatchEvent(new ErrorEvent('error', { error: cause, message: 'no such row' }))
    report.error('a word')
    expect(bridge.sentArgs('log.write')).toEqual([
      { level: 'error', message: 'page: no such row', detail: cause.stack },
      { level: 'error', message: 'page: no such row', detail: cause.stack },
      { level: 'error', message: 'page: a word', detail: '' },
    ])
  })

  it('counts failed reports, and does not flood the log', async () => {
    const bridge = new FakeBridge()
    const report = reportErrors(bridge, new EventTarget())
    bridge.lose()
    report.error('one')
    await Promise.resolve()
    await Promise.resolve()
    bridge.restore()
    for (let count = 0; count < 100; count++) report.error('again')
    const sent = bridge.sentArgs('log.write')
    expect(sent).toHaveLength(49)
    expect(sent[0]).toEqual({
      level: 'error',
      message: 'page: again',
      detail: '\n(1 reports before could not be sent)',
    })
  })
})
