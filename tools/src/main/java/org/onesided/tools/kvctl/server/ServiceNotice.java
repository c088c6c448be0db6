package org.onesided.tools.kvctl.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.onesided.protocol.bootstrap.OneLine;
import org.onesided.verbs.Errno;
import org.onesided.verbs.UnixDatagrams;
import org.onesided.verbs.VerbsException;
import org.onesided.waiting.Interruptible;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the service manager how the server is, as sd_notify(3) describes: systemd waits for {@code READY=1} of a
 * service of {@code Type=notify}, and shows {@code STATUS=...}. Without {@value #VARIABLE} it does nothing.
 * Thread-safe.
 */
final class ServiceNotice implements AutoCloseable
{
    /** Variable with the address of the service manager's socket. */
    static final String VARIABLE = "NOTIFY_SOCKET";

    private static final int LONGEST_SEND_MS = 2_000;
    private static final int INTERVAL_MS = 1_000;

    private final String address;
    private final CountDownLatch over = new CountDownLatch(1);
    /** Follows what a starting server does; null where nobody is to be told. */
    private final Thread thread;
    /** What the server is busy with while it starts; null otherwise. */
    private Supplier<String> doing;
    private String status;
    private boolean isStopping;
    private boolean isFailed;

    /**
     * @param address of the service manager's socket, or null for none.
     */
    ServiceNotice(final String address)
    {
        this.address = address == null || address.isEmpty() ? null : address;
        thread = this.address == null ? null : new Thread(this::follow, "kvctl-service");
        if (thread != null)
        {
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** The server starts; the supplier, which another thread calls as well, says how far it is. */
    synchronized void starting(final Supplier<String> newDoing)
    {
        doing = newDoing;
        tellDoing();
    }

    /** The service is up: it does what it can until somebody stops it. Says nothing if somebody has done so already. */
    synchronized void ready(final String newStatus)
    {
        doing = null;
        if (!isStopping)
        {
            tell("READY=1", newStatus);
        }
    }

    /** The server is about to stop. Once is enough. */
    synchronized void stopping()
    {
        doing = null;
        if (!isStopping)
        {
            isStopping = true;
            tell("STOPPING=1", "stopping");
        }
    }

    @Override
    public void close()
    {
        stopping();
        over.countDown();
        if (thread != null)
        {
            Interruptible.join(thread, 2L * LONGEST_SEND_MS);
        }
    }

    private void follow()
    {
        Interruptible.run(() ->
        {
            while (!over.await(INTERVAL_MS, TimeUnit.MILLISECONDS))
            {
                tellDoing();
            }
        });
    }

    private synchronized void tellDoing()
    {
        final String text = doing == null || isStopping ? null : OneLine.of("starting: " + doing.get());
        if (text != null && !text.equals(status))
        {
            tell(null, text);
        }
    }

    private void tell(final String event, final String newStatus)
    {
        status = newStatus;
        if (address != null)
        {
            final String message = (event == null ? "" : event + "\n") + "STATUS=" + OneLine.of(newStatus) + "\n";
            final String failure = send(message.getBytes(UTF_8));
            if (failure != null && !isFailed)
            {
                // Once: the next ones would fail alike, and there may be one a second.
                isFailed = true;
                logger().warn("service manager cannot be told: {}={} cause={}", VARIABLE, address, failure);
            }
        }
    }

    /** The reason why it was not sent, or null. */
    private String send(final byte[] message)
    {
        try
        {
            final int result = UnixDatagrams.system().send(address, message, LONGEST_SEND_MS);
            return result == 0 ? null : Errno.name(-result);
        }
        catch (final VerbsException | LinkageError e)
        {
            return e.toString();
        }
    }

    /** A logger must not be created before the log's level is set. */
    private static Logger logger()
    {
        return LoggerFactory.getLogger(ServiceNotice.class);
    }
}
