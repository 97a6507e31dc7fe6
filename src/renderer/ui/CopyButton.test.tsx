import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CopyButton } from './CopyButton.tsx'
import { Uid } from './signs/Uid.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const uid = '327704f2-a792-473d-8fe8-96e6f6ac8d1a'

describe('copying', () => {
  it('puts the whole value on the clipboard and says so', async () => {
    const user = userEvent.setup()
    render(<CopyButton value={uid} label="Copy the UID" />)
    await user.click(screen.getByRole('button', { name: 'Copy the UID' }))
    expect(await screen.findByText('Copied')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe(uid)
  })

  it('falls back to the old command if the clipboard is denied, and says if that fails too', async () => {
    const user = userEvent.setup()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('NotAllowedError'))
    const selected: string[] = []
    document.execCommand = () => {
      selected.push(document.querySelector('textarea')?.value ?? '')
      return selected.length === 1
    }
    render(<CopyButton value={uid} label="Copy the UID" />)
    await user.click(screen.getByRole('button', { name: 'Copy the UID' }))
    expect(await screen.findByText('Copied')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Copy the UID' }))
    expect(await screen.findByText('Could not copy; select the text instead')).toBeTruthy()
    expect(selected).toEqual([uid, uid])
    expect(document.querySelector('textarea')).toBeNull()
  })

  it('shortens a UID, copies all of it, and resets for another UID', async () => {
    const user = userEvent.setup()
    const { rerender } = render(<Uid uid={uid} what="UID" />)
    expect(screen.getByText('327704f2…8d1a')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: `Copy the UID ${uid}` }))
    expect(await screen.findByText('copied')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe(uid)
    rerender(<Uid uid="another-uid-than-that" what="UID" />)
    expect(screen.queryByText('copied')).toBeNull()
  })
})
