package org.onesided.client.session;

/**
 * Permission to believe what a session READs or is told over one attachment, by the rules of docs/cluster-model.md. For
 * the session's thread.
 *
 * <pre>
 *   final long lease = reads.begin();         // before the first READ is posted
 *   ...                                       // the last READ completes
 *   if (!reads.isStillHeld(lease))
 *   {
 *       ...                                   // start again
 *   }
 * </pre>
 */
public interface ReadLease
{
    /** Of a server that is alone: its memory can always be believed. */
    ReadLease ALWAYS = new ReadLease()
    {
        @Override
        public long begin()
        {
            return 1;
        }

        @Override
        public boolean isStillHeld(final long lease)
        {
            return true;
        }
    };

    /**
     * Begins a lookup. Without a lease, asks for one and waits for it.
     *
     * @return names the lease.
     * @throws AttachmentLostException if the attachment is lost meanwhile.
     * @throws DeadlinePassedException if the running operation's deadline passes.
     */
    long begin();

    /**
     * To be called after the last completion of a lookup was polled.
     *
     * @param lease what {@link #begin} returned.
     * @return whether the result counts.
     */
    boolean isStillHeld(long lease);
}
