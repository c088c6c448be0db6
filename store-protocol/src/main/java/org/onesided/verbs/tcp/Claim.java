package org.onesided.verbs.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * A connection that was accepted and has not named its queue pair yet, or waits for that to become ready. Used by the
 * progress thread.
 */
final class Claim extends Timed
{
    /** What a queue pair makes of a request for it. */
    enum Outcome
    {
        /** It has the connection now. */
        ACCEPTED(null),
        /** It is not ready yet. */
        WAITING(null),
        /** It is gone. */
        GONE(StartFault.QUEUE_PAIR),
        /** The peer does not know the secret. */
        WRONG_SECRET(StartFault.SECRET),
        /** It does not want it. */
        UNWANTED(StartFault.UNWANTED),
        /** The peer could not be told. */
        LOST(StartFault.BROKEN_OFF);

        private final StartFault fault;

        Outcome(final StartFault fault)
        {
            this.fault = fault;
        }
    }

    /** A peer whose request is not there by then, or whose queue pair is not ready, is refused. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final TcpContext context;
    private final Listener listener;
    private final SocketChannel socket;
    private final Object origin;
    private final ByteBuffer request = ByteBuffer.allocate(MpaStart.LENGTH);
    private SelectionKey key;
    private boolean over;

    Claim(final TcpContext context, final Listener listener, final SocketChannel socket, final Object origin)
    {
        super(TIMEOUT_NS);
        this.context = context;
        this.listener = listener;
        this.socket = socket;
        this.origin = origin;
    }

    void begin() throws IOException
    {
        Sockets.setUp(socket);
        key = context.progress().register(socket, SelectionKey.OP_READ, this);
        context.progress().add(this);
    }

    /**
     * @return what its listener counts it by.
     */
    Object origin()
    {
        return origin;
    }

    /**
     * @return whether its request is there as a whole: it has shown the secret of a queue pair that is not ready yet.
     */
    boolean hasAsked()
    {
        return !request.hasRemaining();
    }

    @Override
    public void ready()
    {
        if (over)
        {
            return;
        }
        try
        {
            if (!request.hasRemaining())
            {
                // It is to wait for the reply; it ends the connection or breaks the rules.
                end(StartFault.BROKEN_OFF);
                return;
            }
            if (socket.read(request) < 0)
            {
                end(leaving());
                return;
            }
            final StartFault fault = !MpaStart.mayBeRequest(request) ? StartFault.GARBAGE :
                request.position() >= MpaStart.HEADER_LENGTH && !MpaStart.isRequest(request) ?
                    StartFault.UNKNOWN_REQUEST : null;
            if (fault != null)
            {
                refuse(fault);
            }
            else if (!request.hasRemaining())
            {
                decide();
            }
        }
        catch (final IOException ex)
        {
            end(leaving());
        }
    }

    /**
     * Asks the queue pair that is named.
     */
    void decide()
    {
        if (over)
        {
            return;
        }
        final MpaStart start = MpaStart.wrap(request.array());
        if (!start.isUnderstood())
        {
            refuse(StartFault.UNKNOWN_REQUEST);
            return;
        }
        final TcpQueuePair queuePair = context.find(start.responder());
        final Outcome outcome = queuePair == null ? Outcome.GONE : queuePair.claim(start, socket, key);
        switch (outcome)
        {
            case ACCEPTED -> end();
            case WAITING -> context.progress().addWaiting(this);
            default -> refuse(outcome.fault);
        }
    }

    @Override
    void expire()
    {
        end(hasAsked() ? StartFault.NOT_READY : StartFault.SILENT);
    }

    @Override
    public void failed()
    {
        end(StartFault.RESOURCES);
    }

    @Override
    void closed()
    {
        if (!over)
        {
            // Nobody did anything wrong.
            end();
            Sockets.close(socket);
        }
    }

    /**
     * Closes the connection without an answer.
     */
    void end(final StartFault fault)
    {
        if (!over)
        {
            end();
            context.refused(fault, socket);
            Sockets.close(socket);
        }
    }

    private StartFault leaving()
    {
        return request.position() == 0 ? StartFault.LEFT : StartFault.BROKEN_OFF;
    }

    private void refuse(final StartFault fault)
    {
        if (!over)
        {
            end();
            context.refused(fault, socket);
            try
            {
                socket.write(MpaStart.refusal());
            }
            catch (final IOException ex)
            {
                Sockets.close(socket);
                return;
            }
            Lingering.begin(context.progress(), socket, key);
        }
    }

    private void end()
    {
        over = true;
        listener.remove(this);
        context.progress().remove(this);
    }
}
