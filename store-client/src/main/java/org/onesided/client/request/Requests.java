package org.onesided.client.request;

import static org.onesided.client.bootstrap.AttachFailedException.Kind.TRANSIENT;

import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.session.AttachmentLostException;
import org.onesided.client.session.CompletionLoop;
import org.onesided.client.session.Counters;
import org.onesided.client.lease.HeldLease;
import org.onesided.client.session.PendingRequests;
import org.onesided.client.session.ReadLease;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.RegisteredMemory;
import org.onesided.client.session.Resources;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReceiveRequests;
import org.onesided.verbs.SendRequests;

/**
 * A session's requests: the slots that hold them, and the channel over the present attachment. Not thread-safe.
 */
public final class Requests implements PendingRequests
{
    private final RequestSlots.Listener ofLostWrites;
    private final AnswerListener ofAnswers;
    private RequestSlots slots;
    private long memoryId;
    private Rpc rpc;
    /** Whether the server has resumed the session with other limits, so that it is given up. */
    private boolean isMisfit;

    /**
     * @param ofLostWrites gets the writes that are lost with a session.
     * @param ofAnswers    gets the answers to writes.
     */
    Requests(final RequestSlots.Listener ofLostWrites, final AnswerListener ofAnswers)
    {
        this.ofLostWrites = ofLostWrites;
        this.ofAnswers = ofAnswers;
    }

    /**
     * @return the requests of the session as of the latest attachment.
     */
    public RequestSlots slots()
    {
        return slots;
    }

    /**
     * @return the RPC over the current attachment; null while there is none.
     */
    public Rpc rpc()
    {
        return rpc;
    }

    /**
     * Tells whether a value fits into a message, so that its put may be under way together with others.
     *
     * @param keyLength   in bytes.
     * @param valueLength in bytes.
     * @return whether it fits.
     */
    public boolean fits(final int keyLength, final int valueLength)
    {
        return valueLength <= RequestCodec.maxInlineValue(slots.messages().messageLength(), keyLength);
    }

    /**
     * As {@link #fits(int, int)}, for a put with terms.
     *
     * @param terms       of the put.
     * @param keyLength   in bytes.
     * @param valueLength in bytes.
     * @return whether it fits.
     */
    public boolean fits(final WriteTerms terms, final int keyLength, final int valueLength)
    {
        return terms.isPlain() ? fits(keyLength, valueLength) :
            valueLength <= RequestCodec.maxQualifiedInlineValue(slots.messages().messageLength(), keyLength);
    }

    /** Most bytes that an append may add to the value of a key of this length. */
    int maxAppended(final int keyLength)
    {
        return RequestCodec.maxAppended(slots.messages().messageLength(), keyLength);
    }

    @Override
    public long spaceLength(final BootstrapConnection.Welcome welcome)
    {
        return RequestChannel.spaceLength(welcome.served().count(), welcome.credits(), welcome.messageLength());
    }

    @Override
    public Link link(
        final BootstrapConnection.Welcome welcome,
        final QueuePair[] queuePairs,
        final CompletionLoop loop,
        final RegisteredBuffer space,
        final int maxInline,
        final RegisteredMemory memory,
        final Resources resources) throws AttachFailedException
    {
        final RequestSlots carried = welcome.isResumed() ? resumable(welcome) : make(welcome, memory, resources);
        final RequestChannel channel = new RequestChannel(
            queuePairs,
            loop,
            carried,
            resources.add(new SendRequests(welcome.credits(), 1)),
            resources.add(new ReceiveRequests(1, 1)),
            space,
            maxInline);
        channel.postReceives();
        final Rpc carrier = new Rpc(carried, channel, loop, ofAnswers);
        return new Link()
        {
            @Override
            public void takeOver()
            {
                if (carried != slots)
                {
                    resources.release(carried);
                }
                Requests.this.takeOver(carried, carrier, welcome.memoryId());
            }

            @Override
            public ReadLease lease(final HeldLease held, final Counters counters)
            {
                return new SessionLease(held, carried, welcome.served().first(), carrier, loop, counters);
            }
        };
    }

    private static RequestSlots make(
        final BootstrapConnection.Welcome welcome, final RegisteredMemory memory, final Resources resources)
    {
        final Resources owned = new Resources();
        try
        {
            final RegisteredBuffer space = memory.register(owned, MessageSpace.length(
                welcome.served().count(), welcome.credits(), welcome.messageLength()));
            return resources.add(new RequestSlots(
                welcome.served(), welcome.credits(), welcome.messageLength(), welcome.takesBatches(),
                welcome.tableId(), space, owned));
        }
        catch (final RuntimeException e)
        {
            owned.close();
            throw e;
        }
    }

    /**
     * The slots of the session, which must fit the server's present limits. If they do not, the next attempt is for
     * another session, as this one would not fit at the next one either. A server that takes batches where the one
     * before did not is a newer one; the session goes on without them.
     */
    private RequestSlots resumable(final BootstrapConnection.Welcome welcome) throws AttachFailedException
    {
        if (!slots.served().equals(welcome.served()) || slots.credits() != welcome.credits() ||
            slots.messages().messageLength() != welcome.messageLength() ||
            slots.takesBatches() && !welcome.takesBatches())
        {
            isMisfit = true;
            throw new AttachFailedException(
                TRANSIENT, "server resumed the session with other limits than it had", null);
        }
        return slots;
    }

    private void takeOver(final RequestSlots carried, final Rpc carrier, final long newMemoryId)
    {
        isMisfit = false;
        final boolean isSameMemory = newMemoryId == memoryId;
        memoryId = newMemoryId;
        rpc = carrier;
        if (carried == slots)
        {
            slots.resumed(isSameMemory);
            try
            {
                rpc.post();
            }
            catch (final AttachmentLostException e)
            {
                // The next user finds the attachment lost, and posts the rest over the next one.
            }
            return;
        }
        final RequestSlots former = slots;
        slots = carried;
        if (former != null)
        {
            former.lose(ofLostWrites);
            former.close();
        }
    }

    @Override
    public boolean hasPendingWrites()
    {
        return !isMisfit && slots.hasPendingWrites();
    }

    @Override
    public void detached()
    {
        if (rpc != null)
        {
            rpc.lease().abandon();
        }
        rpc = null;
        slots.detached();
    }

    @Override
    public void abandonAwaited()
    {
        slots.abandonAwaited();
    }

    @Override
    public void endOperation()
    {
        slots.abandonAwaited();
        if (rpc != null)
        {
            rpc.releaseAnswer();
        }
    }

    @Override
    public void close()
    {
        if (rpc != null)
        {
            rpc.lease().abandon();
        }
        rpc = null;
        slots.close();
    }
}
