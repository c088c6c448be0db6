package org.onesided.client.session;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.protocol.bootstrap.codec.ConfirmEncoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeDecoder;
import org.onesided.protocol.bootstrap.codec.GoodbyeEncoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatDecoder;
import org.onesided.protocol.bootstrap.codec.HeartbeatEncoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderDecoder;
import org.onesided.protocol.bootstrap.codec.MessageHeaderEncoder;
import org.onesided.protocol.bootstrap.codec.RetireDecoder;
import org.onesided.protocol.bootstrap.codec.SamplingDecoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One session's TCP connection, which the {@link LifeLine} keeps alive with heartbeats. The thread that holds this
 * object's monitor may use the channel.
 */
final class SessionLine
{
    private static final Logger LOGGER = LoggerFactory.getLogger(SessionLine.class);
    private static final int HEARTBEATS_PER_LEASE = 3;
    private static final long MIN_PERIOD_MS = 10;
    private static final int BEATS_PER_SILENCE = 2;
    /** Samplings that a server may send before the first heartbeat, and for each of them. */
    private static final int MAX_SAMPLINGS = 100;
    private static final int SAMPLINGS_PER_BEAT = 10;
    /** Interval of reports of an active session. */
    static final long REPORT_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private final MessageChannel channel;
    private final CompletionLoop loop;
    private final long periodNs;
    private final Counters counters;
    private final Confirmation confirmation;
    private final AccessReports accesses;
    /** Totals reported over earlier connections. */
    private final SessionTotals before;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final HeartbeatEncoder heartbeat = new HeartbeatEncoder();
    private final ConfirmEncoder confirm = new ConfirmEncoder();
    /** After so long without an answer to a heartbeat the server is taken for lost; 0 for never. */
    private final long silenceNs;
    private long lastBeatNs = System.nanoTime();
    /** Whether the server owes an answer, or room for what it has not read. */
    private boolean isOwing;
    /** Since when it does, or has given the last sign of life. */
    private long owesSinceNs;
    /** Whether the socket did not take all that was to be sent last: the server does not read. */
    private boolean isStuck;
    private long beats;
    private long samplings;
    private long answers;
    private SessionTotals reported = SessionTotals.NONE;
    private boolean isOpen = true;
    private String goodbye;
    /** Release epoch that the server was told of. */
    private volatile long confirmed;

    /**
     * @param channel      of the connection, the bootstrap done.
     * @param loop         to tell when the connection ends.
     * @param leaseMs      of the session.
     * @param silenceNs    for how long the server may owe an answer before it is taken for lost, as another one may
     *                     serve by then; 0 for ever.
     * @param counters     of the session.
     * @param confirmation of the session.
     * @param accesses     of the session.
     */
    SessionLine(
        final MessageChannel channel,
        final CompletionLoop loop,
        final long leaseMs,
        final long silenceNs,
        final Counters counters,
        final Confirmation confirmation,
        final AccessReports accesses)
    {
        this.confirmation = confirmation;
        this.accesses = accesses;
        confirmed = confirmation.announced();
        this.channel = channel;
        this.loop = loop;
        this.counters = counters;
        before = counters.reported();
        this.silenceNs = silenceNs;
        final long ofLeaseNs =
            TimeUnit.MILLISECONDS.toNanos(Math.max(MIN_PERIOD_MS, leaseMs / HEARTBEATS_PER_LEASE));
        periodNs = silenceNs == 0 ? ofLeaseNs : Math.min(ofLeaseNs, silenceNs / BEATS_PER_SILENCE);
    }

    synchronized void register(final Selector selector)
    {
        try
        {
            if (isOpen)
            {
                channel.socket().register(selector, SelectionKey.OP_READ, this);
                // Bytes after the bootstrap's last message are already in the channel.
                read();
            }
        }
        catch (final IOException e)
        {
            end("life line failed: " + e.getMessage());
        }
    }

    synchronized void read()
    {
        try
        {
            int templateId = isOpen ? channel.poll() : MessageChannel.NOTHING;
            while (templateId != MessageChannel.NOTHING)
            {
                take(templateId);
                templateId = isOpen ? channel.poll() : MessageChannel.NOTHING;
            }
        }
        catch (final IOException | RuntimeException e)
        {
            end("connection ended: " + e.getMessage());
        }
    }

    synchronized void beat(final long nowNs)
    {
        final long sinceNs = nowNs - lastBeatNs;
        final boolean isDue =
            sinceNs >= periodNs || sinceNs >= REPORT_PERIOD_NS && counters.isUnreported();
        if (!isOpen || !isDue)
        {
            return;
        }
        lastBeatNs = nowNs;
        try
        {
            final boolean isRead = flush();
            if (isServerSilent(nowNs))
            {
                // This process may have been stopped, and the answer be there.
                read();
            }
            if (isOpen && isServerSilent(nowNs))
            {
                end("server is silent: milliseconds=" + TimeUnit.NANOSECONDS.toMillis(nowNs - owesSinceNs));
            }
            // While the server has unread heartbeats, another one is useless.
            else if (isOpen && isRead)
            {
                putHeartbeat();
                flush();
            }
        }
        catch (final IOException | RuntimeException e)
        {
            end("connection ended: " + e.getMessage());
        }
    }

    private boolean isServerSilent(final long nowNs)
    {
        return silenceNs > 0 && isOwing && nowNs - owesSinceNs > silenceNs;
    }

    /** Sends what waits to be sent; whether the socket took all of it. */
    private boolean flush() throws IOException
    {
        final boolean wasStuck = isStuck;
        isStuck = !channel.flush();
        final boolean isOwingNow = isStuck || answers < beats;
        if (isOwingNow && !isOwing || wasStuck && !isStuck)
        {
            // After the flush: this thread may have waited for the processor before.
            owesSinceNs = System.nanoTime();
        }
        isOwing = isOwingNow;
        return !isStuck;
    }

    /** Whether {@link #reportAccesses} is to be called. */
    boolean reportsAccesses()
    {
        return accesses.isActive();
    }

    /** Reports sampled lookups if it is time; whether there were some since the last call. */
    synchronized boolean reportAccesses(final long nowNs)
    {
        final int count = isOpen ? accesses.due(nowNs) : 0;
        try
        {
            if (count > 0 && flush())
            {
                channel.commit(accesses.write(channel.outgoing(), header, count, nowNs));
                flush();
            }
        }
        catch (final IOException | RuntimeException e)
        {
            end("connection ended: " + e.getMessage());
        }
        return isOpen && accesses.checkFresh();
    }

    /** Whether the server waits for a confirmation. */
    boolean isConfirmationDue()
    {
        return confirmed < confirmation.announced();
    }

    /** To be called before {@link #confirm}; whether that is to be called behind a fence. */
    boolean prepareConfirmation()
    {
        return confirmation.prepare();
    }

    /** Confirms what can be confirmed; whether nothing is left to be confirmed. */
    synchronized boolean confirm()
    {
        final long epoch = confirmation.confirmed();
        try
        {
            if (isOpen && epoch > confirmed && flush())
            {
                channel.commit(confirm.wrapAndApplyHeader(channel.outgoing(), 0, header).epoch(epoch).limit());
                confirmed = epoch;
                flush();
            }
        }
        catch (final IOException | RuntimeException e)
        {
            end("connection ended: " + e.getMessage());
        }
        return !isOpen || !isConfirmationDue();
    }

    private void takeRetired()
    {
        if (isConfirmationDue())
        {
            // Otherwise the server could keep this thread busy for ever.
            end("server retires memory before the last was confirmed");
            return;
        }
        final RetireDecoder retire = new RetireDecoder()
            .wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder());
        final long epoch = retire.epoch();
        final long removal = retire.removal();
        final RetireDecoder.ShardsDecoder shards = retire.shards();
        final long[] points = new long[shards.count()];
        for (int i = 0; i < points.length; i++)
        {
            points[i] = shards.next().splitPoint();
        }
        if (!confirmation.announce(new RetiredMemory(epoch, removal, points)))
        {
            end("server retires memory that does not exist: epoch=" + epoch + " removal=" + removal +
                " shards=" + points.length);
        }
    }

    private void takeSampling()
    {
        samplings++;
        if (samplings > MAX_SAMPLINGS + SAMPLINGS_PER_BEAT * beats)
        {
            // Otherwise the server could keep this thread busy for ever.
            end("server changes too often which lookups it samples");
            return;
        }
        accesses.keys(new SamplingDecoder()
            .wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()).bits());
    }

    private void putHeartbeat() throws IOException
    {
        final SessionTotals totals = counters.totals();
        totals.since(before).write(heartbeat.wrapAndApplyHeader(channel.outgoing(), 0, header));
        channel.commit(heartbeat.limit());
        counters.reported(totals);
        beats++;
    }

    /**
     * Tells the server what the session has done, and waits for the sums of what all have.
     *
     * @throws DeadlinePassedException if they do not come in time.
     * @throws AttachmentLostException if the connection ends meanwhile.
     */
    synchronized SessionTotals reported(final Deadline deadline)
    {
        try
        {
            if (isOpen)
            {
                putHeartbeat();
                flush();
            }
        }
        catch (final IOException e)
        {
            end("connection ended: " + e.getMessage());
        }
        final long asked = beats;
        while (isOpen && answers < asked)
        {
            // Bytes that the socket did not accept go with the next heartbeat.
            deadline.await(this);
        }
        if (answers < asked)
        {
            throw loop.lost("connection ended");
        }
        return reported;
    }

    /**
     * Why the server ended the session, if it has said so by now, or null: its queue pairs may fail before the
     * line is read, and tell less.
     */
    synchronized String lastWords()
    {
        read();
        return goodbye;
    }

    /** Closes the connection without a goodbye, so that the server keeps the session to be resumed. */
    synchronized void drop()
    {
        if (isOpen)
        {
            isOpen = false;
            Resources.closeQuietly(channel);
        }
    }

    /** Says goodbye, if the socket accepts that at once, and closes the connection. */
    synchronized void close(final String reason)
    {
        if (!isOpen)
        {
            return;
        }
        isOpen = false;
        notifyAll();
        try (channel)
        {
            if (counters.isUnreported())
            {
                putHeartbeat();
            }
            final GoodbyeEncoder goodbye = new GoodbyeEncoder()
                .wrapAndApplyHeader(channel.outgoing(), 0, header)
                .reason(reason);
            channel.commit(goodbye.limit());
            channel.flush();
        }
        catch (final IOException e)
        {
            LOGGER.debug("no leave could be taken: {}", e.getMessage());
        }
    }

    private void take(final int templateId)
    {
        switch (templateId)
        {
            case HeartbeatDecoder.TEMPLATE_ID ->
            {
                if (answers == beats)
                {
                    // Otherwise the server could keep this thread busy for ever.
                    end("server sent a heartbeat that answers none");
                    return;
                }
                answers++;
                owesSinceNs = System.nanoTime();
                isOwing = isStuck || answers < beats;
                reported = SessionTotals.read(new HeartbeatDecoder()
                    .wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder()));
                notifyAll();
            }
            case RetireDecoder.TEMPLATE_ID -> takeRetired();
            case SamplingDecoder.TEMPLATE_ID -> takeSampling();
            case GoodbyeDecoder.TEMPLATE_ID ->
            {
                goodbye = "server said goodbye: " + OneLine.ofPeer(new GoodbyeDecoder()
                    .wrapAndApplyHeader(channel.message(), 0, new MessageHeaderDecoder())
                    .reason());
                end(goodbye);
            }
            default -> end("server sent a message out of order: template=" + templateId);
        }
    }

    private void end(final String reason)
    {
        isOpen = false;
        notifyAll();
        Resources.closeQuietly(channel);
        loop.lose(reason);
    }

    /** Nanoseconds from one heartbeat to the next. */
    long periodNs()
    {
        return periodNs;
    }

    /** When the latest heartbeat was sent, for the life line's thread. */
    long lastBeatNs()
    {
        return lastBeatNs;
    }

    synchronized boolean isOpen()
    {
        return isOpen;
    }
}
