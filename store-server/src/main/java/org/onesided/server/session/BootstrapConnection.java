package org.onesided.server.session;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.MessageChannel;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.protocol.bootstrap.TlsException;
import org.onesided.protocol.bootstrap.TlsMismatchException;
import org.onesided.protocol.bootstrap.codec.RefusalCode;

/**
 * The server's side of the bootstrap over one client's TCP connection: its state, its deadline, and its unread
 * messages. Never blocks.
 */
public final class BootstrapConnection
{
    /** State of a connection. */
    public enum State
    {
        /** Waits for Hello. */
        HELLO,
        /** Waits until the queue pairs of the session to be resumed are destroyed. */
        DRAINING,
        /** Waits for Connect. */
        CONNECT,
        /** Waits until its queue pairs are connected. */
        CONNECTING,
        /** Waits for Ready. */
        READY,
        /** Is a session's life line. */
        OPEN,
        /** Waits until the client has read why, and closes. */
        CLOSING,
        /** Is closed. */
        CLOSED
    }

    /** Messages taken from one connection before others have their turn. */
    private static final int MESSAGES_AT_ONCE = 16;
    /** Time for a sending client to read the last message, which an immediate close could discard. */
    private static final long LINGER_NS = 1_000_000_000L;

    /** Owner of the connection. */
    public interface Owner
    {
        /**
         * Makes the connection's channel, in the clear or within TLS.
         *
         * @param socket   of the connection.
         * @param whenDone to be run, on any thread, when what took long is done.
         * @return the channel.
         * @throws IOException if the connection is gone.
         */
        MessageChannel channel(SocketChannel socket, Runnable whenDone) throws IOException;

        /**
         * What took long is done, so that the connection can go on. Safe to call from any thread.
         *
         * @param connection that waited for it.
         */
        void onDone(BootstrapConnection connection);

        /**
         * The connection was given its last message, and waits until the client has read that.
         *
         * @param connection that is about to end.
         */
        void onLeaving(BootstrapConnection connection);

        /**
         * The connection is closed.
         *
         * @param connection that has ended.
         */
        void onClosed(BootstrapConnection connection);
    }

    /** Handler of a connection's events, on the acceptor's thread. */
    public interface Handler
    {
        /**
         * Takes the message that the connection holds.
         *
         * @param connection that holds it.
         * @param templateId of the message.
         * @throws IOException if the connection cannot go on.
         */
        void onMessage(BootstrapConnection connection, int templateId) throws IOException;

        /**
         * Ends a connection, and tells the client why. A session that was open may still be resumed.
         *
         * @param connection to end.
         * @param why        for metrics.
         * @param text       for the client and the log.
         */
        void refuse(BootstrapConnection connection, Refusal why, String text);

        /**
         * The TCP connection is gone. A session that was open may still be resumed.
         *
         * @param connection that is gone.
         * @param reason     for the log.
         */
        void onDisconnected(BootstrapConnection connection, String reason);
    }

    private final MessageChannel channel;
    private final SelectionKey key;
    private final Owner owner;
    private final String peer;
    private final AddressGroup address;
    private State state = State.HELLO;
    private SessionTotals reported = SessionTotals.NONE;
    private long deadlineNs;
    /**
     * Since when the client keeps the server waiting: the begin, the end of the server's last long step, or the time at
     * which the server began to wait for a message after Hello.
     */
    private long idleSinceNs;
    private long heardNs;
    private boolean hasSpoken;
    private boolean isShutDown;

    /**
     * @param socket     accepted.
     * @param selector   told of what the socket is ready for, with the connection as the key's attachment.
     * @param nowNs      the time.
     * @param deadlineNs of the handshake.
     * @param owner      of the connection.
     * @throws IOException if the client is gone.
     */
    public BootstrapConnection(
        final SocketChannel socket,
        final Selector selector,
        final long nowNs,
        final long deadlineNs,
        final Owner owner) throws IOException
    {
        this.owner = owner;
        channel = owner.channel(socket, () -> owner.onDone(this));
        // Java prints a slash between host name and address.
        peer = String.valueOf(socket.getRemoteAddress()).replace("/", "");
        address = AddressGroup.of(socket);
        key = socket.register(selector, SelectionKey.OP_READ, this);
        this.deadlineNs = deadlineNs;
        idleSinceNs = nowNs;
        heardNs = nowNs;
    }

    /**
     * @return address and port of the client, for the log.
     */
    public String peer()
    {
        return peer;
    }

    /**
     * @return where it comes from.
     */
    public AddressGroup address()
    {
        return address;
    }

    /** Subject of the certificate that the client has shown, or null. */
    String certificateSubject()
    {
        return channel.peerSubject();
    }

    /**
     * @return how far it has come.
     */
    public State state()
    {
        return state;
    }

    void state(final State next)
    {
        state = next;
    }

    /**
     * Waits for the client's next message.
     *
     * @param next  what it waits for.
     * @param nowNs the time.
     */
    void await(final State next, final long nowNs)
    {
        state = next;
        idleSinceNs = nowNs;
    }

    /**
     * @return whether its handshake is still under way.
     */
    public boolean isGreeting()
    {
        return state.ordinal() < State.OPEN.ordinal();
    }

    /**
     * @return whether it has a deadline; an open connection has its session's lease instead.
     */
    public boolean hasDeadline()
    {
        return isGreeting() || state == State.CLOSING;
    }

    /**
     * @return until when it may do what it has a deadline for.
     */
    public long deadlineNs()
    {
        return deadlineNs;
    }

    /**
     * Gives it time that nobody could use.
     *
     * @param pauseNs how much, in nanoseconds.
     */
    public void excuse(final long pauseNs)
    {
        deadlineNs += pauseNs;
        idleSinceNs += pauseNs;
        heardNs += pauseNs;
    }

    /**
     * The client has sent something, or the server has finished work for it.
     *
     * @param nowNs the time.
     */
    public void heard(final long nowNs)
    {
        heardNs = nowNs;
        hasSpoken = true;
    }

    /**
     * What took the server long is done: the client is not to blame for that time.
     *
     * @param nowNs the time.
     */
    public void done(final long nowNs)
    {
        idleSinceNs = nowNs;
    }

    /**
     * Tells whether its handshake should give way to another's: the client keeps the server waiting. One that has said
     * Hello has shown who it is and needs time of its own for its queue pairs, so it may take longer over what follows.
     *
     * @param nowNs     the time.
     * @param silenceNs how long one that has said nothing may be silent.
     * @param pauseNs   how long one that has begun to say Hello may be.
     * @param wholeNs   how long it may take over Hello.
     * @param stepNs    how long it may take over each message after Hello.
     * @return whether it should.
     */
    public boolean isStale(
        final long nowNs, final long silenceNs, final long pauseNs, final long wholeNs, final long stepNs)
    {
        if (channel.interest() == 0)
        {
            // A busy connection waits for the server, not for the client.
            return false;
        }
        return switch (state)
        {
            case HELLO -> nowNs - idleSinceNs >= wholeNs ||
                nowNs - heardNs >= (hasSpoken ? pauseNs : silenceNs) && !isAmidTls();
            case CONNECT, READY -> nowNs - idleSinceNs >= stepNs;
            default -> false;
        };
    }

    /** A client that computes its part of the handshake may have to wait for a core. */
    private boolean isAmidTls()
    {
        return hasSpoken && !channel.isEstablished();
    }

    /**
     * Takes what the client reports of its session over this connection.
     *
     * @return how much more that is than what it reported before.
     */
    SessionTotals report(final SessionTotals totals)
    {
        final SessionTotals before = reported;
        reported = totals.atLeast(before);
        return reported.since(before);
    }

    /** Accepts messages of the protocol's maximum length, because the client has authenticated. */
    void trust()
    {
        channel.maxIncomingLength(Bootstrap.MAX_MESSAGE_LENGTH);
    }

    DirectBuffer message()
    {
        return channel.message();
    }

    MutableDirectBuffer outgoing() throws IOException
    {
        return channel.outgoing();
    }

    /** Sends the message in {@link #outgoing}, now or as soon as the socket accepts it. */
    void send(final int length) throws IOException
    {
        channel.commit(length);
        write();
    }

    /**
     * Does what the socket is ready for.
     *
     * @param handler of what comes.
     * @return whether there may be more to read at once.
     */
    public boolean onReady(final Handler handler)
    {
        try
        {
            if (key.isWritable())
            {
                write();
            }
            final boolean isMore = key.isValid() && read(handler);
            if (key.isValid())
            {
                key.interestOps(channel.interest());
            }
            return isMore;
        }
        catch (final TlsMismatchException e)
        {
            channel.answerInTheClear();
            handler.refuse(this, Refusal.TLS, e.isPeerWithin() ?
                "client connects within TLS, which this server was given no certificate for" :
                "client does not connect within TLS, as this server asks, give it --tls-ca or --tls");
        }
        catch (final ProtocolException e)
        {
            handler.refuse(this, Refusal.PROTOCOL, e.getMessage());
        }
        catch (final TlsException e)
        {
            handler.refuse(this, Refusal.TLS, "TLS handshake failed: " + e.getMessage());
        }
        catch (final IOException e)
        {
            handler.onDisconnected(this, e.getMessage());
        }
        return false;
    }

    /** Says why, and closes when the client has read it. */
    void refuse(final RefusalCode code, final String reason, final long nowNs)
    {
        closeAfter(nowNs, LastMessage.refused(code, reason));
    }

    /** Says which devices there are, and who leads the cluster; closes when the client has read it. */
    void offer(final List<String> devices, final ServedCluster cluster, final long nowNs)
    {
        closeAfter(nowNs, LastMessage.offer(devices, cluster));
    }

    /** Says why, and closes when the client has read it. */
    void sayGoodbye(final String reason, final long nowNs)
    {
        closeAfter(nowNs, LastMessage.goodbye(reason));
    }

    /**
     * Closes it.
     */
    public void close()
    {
        state = State.CLOSED;
        owner.onClosed(this);
        key.cancel();
        CloseHelper.quietClose(channel);
    }

    /** Gives the channel away, open, and has nothing to do with it any more. */
    MessageChannel detach()
    {
        state = State.CLOSED;
        owner.onClosed(this);
        key.cancel();
        return channel;
    }

    /**
     * Closes without waiting for the client any longer.
     */
    public void cutOff()
    {
        try
        {
            // Closing with unread bytes would cause a reset, which discards the last message.
            channel.discard();
        }
        catch (final IOException e)
        {
            // It is gone already.
        }
        close();
    }

    private boolean read(final Handler handler) throws IOException
    {
        for (int i = 0; i < MESSAGES_AT_ONCE; i++)
        {
            if (state == State.CLOSING)
            {
                discard();
                return false;
            }
            final int templateId = state == State.CLOSED ? MessageChannel.NOTHING : channel.poll();
            if (templateId == MessageChannel.NOTHING)
            {
                return false;
            }
            handler.onMessage(this, templateId);
        }
        return true;
    }

    private void discard() throws IOException
    {
        if (channel.discard())
        {
            close();
        }
    }

    private void write() throws IOException
    {
        final boolean isWritten = channel.flush();
        key.interestOps(channel.interest());
        if (isWritten && state == State.CLOSING && !isShutDown)
        {
            isShutDown = true;
            channel.shutdownOutput();
        }
    }

    private void closeAfter(final long nowNs, final LastMessage message)
    {
        if (state == State.CLOSING || state == State.CLOSED)
        {
            return;
        }
        state = State.CLOSING;
        owner.onLeaving(this);
        deadlineNs = nowNs + LINGER_NS;
        try
        {
            if (channel.isEstablished())
            {
                channel.commit(message.encode(channel.outgoing()));
            }
            else
            {
                channel.dropOutgoing();
            }
            // Within a TLS handshake, only TLS alerts can be sent.
            write();
        }
        catch (final IOException e)
        {
            close();
        }
    }
}
