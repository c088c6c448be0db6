package org.onesided.verbs.tcp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.soft.Timers;
import org.onesided.verbs.soft.WorkQueues;

/**
 * The progress thread's work for a queue pair: starts its connection and serves it.
 */
final class QueuePairService implements ServedConnection.Owner, Initiator.Owner
{
    /**
     * However soon the attributes give up: a lost SYN is sent again only after 1 and after 3 seconds, and a machine
     * with too much to do must not be taken for one that is gone.
     */
    static final long LEAST_PATIENCE_NS = TimeUnit.SECONDS.toNanos(4);

    /**
     * A peer whose frame is unfinished for so long is cut off, unless the attributes leave it longer: the slowest
     * network that counts, see {@link Silence}, brings the longest frame in half a second, and where packets are lost,
     * they are sent again several times within this.
     */
    private static final long FRAME_PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final WorkQueues queues;
    private final Link link;
    private final Rendezvous rendezvous;
    private final SharedParts parts;
    private final Progress progress;
    private final Counters counters;
    private boolean serving;
    /** Guarded by the progress thread's queue. */
    private boolean queued;

    /**
     * @param queues     of the queue pair.
     * @param link       of the queue pair.
     * @param rendezvous of the queue pair.
     * @param parts      of the context.
     */
    QueuePairService(
        final WorkQueues queues, final Link link, final Rendezvous rendezvous, final SharedParts parts)
    {
        this.queues = queues;
        this.link = link;
        this.rendezvous = rendezvous;
        this.parts = parts;
        progress = parts.progress();
        counters = parts.counters();
    }

    /**
     * @return whether the progress thread serves the queue pair now; under the lock.
     */
    boolean isServing()
    {
        return serving;
    }

    @Override
    public boolean isQueued()
    {
        return queued;
    }

    @Override
    public void queued(final boolean value)
    {
        queued = value;
    }

    /**
     * Sends what is gathered, or has it sent; under the lock, from any thread.
     */
    void push()
    {
        final Connection current = link.connection();
        if (current == null || !current.isEstablished())
        {
            return;
        }
        try
        {
            link.stream().requester().acknowledge(link.readDepth());
        }
        catch (final VerbsException ex)
        {
            link.starve(ex);
            return;
        }
        if (!current.out().isEmpty())
        {
            current.flush();
        }
        if (current.wantsWrite())
        {
            if (!current.isActive() || current.isUnattended())
            {
                if (!serving)
                {
                    progress.attend(this);
                }
            }
            else if (current.isSleptOn())
            {
                queues.ringChannels();
            }
        }
    }

    @Override
    public void serve(final Connection served)
    {
        boolean more = false;
        boolean over = true;
        queues.lock().acquire();
        try
        {
            if (!queues.isClosed() && link.connection() == served)
            {
                serving = true;
                queues.makeProgress();
                over = link.connection() != served;
                more = !over && link.stream().hasMoreNow();
            }
        }
        catch (final RuntimeException ex)
        {
            // Unforeseen; it must not end the thread that all others need.
            over = true;
            link.lostPeer("error unforeseen, " + ex);
        }
        finally
        {
            serving = false;
            queues.lock().release();
        }
        if (!over)
        {
            served.updateInterest();
            if (more)
            {
                progress.attend(this);
            }
        }
    }

    @Override
    public void watch(final Connection watched, final long passedNs)
    {
        queues.lock().acquire();
        try
        {
            final long limitNs = Timers.answerNs(queues.attributes().timeout(), queues.attributes().retryCount());
            if (queues.isClosed() || link.connection() != watched || endUnfinished(watched, passedNs, limitNs) ||
                !watched.isEstablished() || limitNs == Timers.FOR_EVER_NS)
            {
                return;
            }
            if (!link.stream().countSilence(passedNs, Math.max(LEAST_PATIENCE_NS, limitNs), link.readDepth()))
            {
                push();
                return;
            }
            queues.makeProgress();
            if (link.connection() == watched && !watched.silence().hasEnded())
            {
                counters.unanswered();
                watched.abandon();
                link.lostPeer(
                    "peer gave no sign for " + TimeUnit.NANOSECONDS.toSeconds(watched.silence().passedNs()) + " s");
                queues.failOldest(CompletionStatus.RETRY_EXC_ERR, null);
            }
        }
        catch (final VerbsException ex)
        {
            // The question to the peer could not be sent.
            link.starve(ex);
        }
        catch (final RuntimeException ex)
        {
            // Unforeseen; it must not end the thread that all others need.
            link.lostPeer("error unforeseen, " + ex);
        }
        finally
        {
            queues.lock().release();
        }
    }

    @Override
    public void attend()
    {
        final Connection current = link.connection();
        if (current != null)
        {
            serve(current);
        }
    }

    @Override
    public boolean connected(
        final Initiator asked, final SocketChannel socket, final SelectionKey key, final int peerDepth)
    {
        queues.lock().acquire();
        try
        {
            if (queues.isClosed() || !rendezvous.end(asked))
            {
                return false;
            }
            if (key == null)
            {
                link.lost(asked.describe());
                queues.makeProgress();
                return false;
            }
            final ServedConnection served = begin(socket, key, true, peerDepth);
            link.stream().sendFirst();
            served.beginActive(queues.sendCompletions().channel(), queues.receiveCompletions().channel());
            queues.makeProgress();
            return true;
        }
        catch (final VerbsException ex)
        {
            // No memory to begin with. A connection without a link.connection() of its own is the caller's to close.
            final boolean taken = link.connection() != null;
            link.noMemory(ex);
            link.lost(ex.getMessage());
            queues.makeProgress();
            return taken;
        }
        finally
        {
            queues.lock().release();
        }
    }

    /**
     * A peer asks for this queue pair.
     *
     * @param start  its request.
     * @param socket it came on.
     * @param key    of the socket with the progress thread's selector.
     * @return what becomes of it.
     */
    ClaimOutcome claim(final MpaStart start, final SocketChannel socket, final SelectionKey key)
    {
        queues.lock().acquire();
        try
        {
            if (queues.isClosed())
            {
                return ClaimOutcome.GONE;
            }
            if (!rendezvous.hasSecret(start))
            {
                return ClaimOutcome.WRONG_SECRET;
            }
            final QueuePairState state = queues.state();
            if (state == QueuePairState.RESET || state == QueuePairState.INIT)
            {
                return ClaimOutcome.WAITING;
            }
            if (!rendezvous.isPassive() || link.connection() != null || link.isGone() || state == QueuePairState.ERR ||
                queues.attributes().destinationQueuePair() != start.initiator())
            {
                return ClaimOutcome.UNWANTED;
            }
            if (!rendezvous.accept(start, socket, queues.attributes().maxDestinationReadAtomic()))
            {
                return ClaimOutcome.LOST;
            }
            begin(socket, key, false, start.ird()).beginPassive();
            return ClaimOutcome.ACCEPTED;
        }
        catch (final IOException ex)
        {
            return ClaimOutcome.LOST;
        }
        finally
        {
            queues.lock().release();
        }
    }

    /**
     * The limit of a frame holds even for a peer with unlimited time to answer, because a partial frame occupies
     * memory.
     */
    private boolean endUnfinished(final Connection watched, final long passedNs, final long limitNs)
    {
        final long longestNs =
            limitNs == Timers.FOR_EVER_NS ? FRAME_PATIENCE_NS : Math.max(FRAME_PATIENCE_NS, limitNs);
        if (!link.stream().countUnfinished(passedNs, longestNs))
        {
            return false;
        }
        // The rest may have arrived already.
        serving = true;
        try
        {
            queues.makeProgress();
        }
        finally
        {
            serving = false;
        }
        if (link.connection() == watched && watched.in().isStillUnfinished())
        {
            link.terminate(Fault.FRAME_UNFINISHED, 0, 0);
        }
        return link.connection() != watched;
    }

    private boolean hasMoreToSend()
    {
        final Stream current = link.stream();
        return current != null && current.hasMoreToSend();
    }

    private ServedConnection begin(
        final SocketChannel socket, final SelectionKey key, final boolean active, final int peerDepth)
    {
        final Connection begun =
            new Connection(this::hasMoreToSend, socket, key, parts.stagingPool(), active, peerDepth);
        final ServedConnection served = new ServedConnection(this, begun, parts);
        link.begin(begun, served, new Stream(queues, begun, queues.attributes().maxDestinationReadAtomic(),
            new MessageReceiver(queues, this), link));
        key.attach(served);
        return served;
    }
}
