package org.onesided.tools.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A client process: runs phases on orders from standard input and reports on standard output. Ends when the parent
 * does. For one thread.
 */
public final class ClientServant
{
    static final String STOP = "STOP";
    private static final String EXIT = "EXIT";

    private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();
    private final Thread thread = Thread.currentThread();
    private final Object lock = new Object();
    private final BufferedReader in;
    private final PrintStream out;
    private boolean isRunning;
    private boolean isStopped;

    private ClientServant(final InputStream in, final PrintStream out)
    {
        this.in = new BufferedReader(new InputStreamReader(in, UTF_8));
        this.out = out;
    }

    /**
     * Serves until the parent has no more orders.
     *
     * @param plan   of all clients together.
     * @param store  to work on; closed at the end.
     * @param client number of this client, from 0.
     * @param in     orders of the parent.
     * @param out    gets the reports.
     */
    public static void serve(
        final RunPlan plan, final StoreAccess store, final int client, final InputStream in, final PrintStream out)
    {
        final ClientServant servant = new ClientServant(in, out);
        try (LocalClient clients = new LocalClient(plan, store, client))
        {
            servant.serve(clients);
        }
    }

    /**
     * Reports that this process cannot continue.
     *
     * @param message reason.
     * @param out     read by the parent.
     */
    public static void fail(final String message, final PrintStream out)
    {
        out.println(new ClientMessage(ClientMessage.Kind.FAILED, message).line());
        out.flush();
    }

    private void serve(final LocalClient clients)
    {
        final Thread reader = new Thread(this::readOrders, "load-orders");
        // Only the parent ends this read.
        reader.setDaemon(true);
        reader.start();
        tell(new ClientMessage(ClientMessage.Kind.READY, clients.facts()));
        for (String order = nextOrder(); !EXIT.equals(order); order = nextOrder())
        {
            final PhaseEnd end = run(RunPlan.Phases.valueOf(order), clients);
            tell(new ClientMessage(ClientMessage.Kind.END, end));
        }
    }

    private String nextOrder()
    {
        while (true)
        {
            try
            {
                return orders.take();
            }
            catch (final InterruptedException e)
            {
                // This process was told to stop: further phases end at once, with a report.
                stop();
            }
        }
    }

    private PhaseEnd run(final RunPlan.Phases phase, final LocalClient clients)
    {
        synchronized (lock)
        {
            isRunning = true;
            if (isStopped)
            {
                thread.interrupt();
            }
        }
        try
        {
            return clients.run(phase, new Teller());
        }
        finally
        {
            synchronized (lock)
            {
                isRunning = false;
                // An interrupt from here on would prevent the report of the end.
                isStopped |= Thread.interrupted();
            }
        }
    }

    /** Ends the current phase and all later ones. */
    private void stop()
    {
        synchronized (lock)
        {
            isStopped = true;
            if (isRunning)
            {
                thread.interrupt();
            }
        }
    }

    private void tell(final ClientMessage message)
    {
        out.println(message.line());
        out.flush();
    }

    private void readOrders()
    {
        try
        {
            for (String line = in.readLine(); line != null; line = in.readLine())
            {
                if (STOP.equals(line))
                {
                    stop();
                }
                else
                {
                    orders.add(line);
                }
            }
        }
        catch (final IOException e)
        {
            fail("cannot read the orders of the parent: " + e.getMessage(), out);
        }
        orders.add(EXIT);
        stop();
    }

    /** Reports the progress of a phase. */
    private final class Teller implements PhaseListener
    {
        @Override
        public void warmingUp(final long leftNs)
        {
            tell(new ClientMessage(ClientMessage.Kind.WARMING_UP, leftNs));
        }

        @Override
        public void measuring()
        {
            tell(new ClientMessage(ClientMessage.Kind.MEASURING, null));
        }

        @Override
        public void interval(final Interval interval)
        {
            tell(new ClientMessage(ClientMessage.Kind.INTERVAL, interval));
            if (out.checkError())
            {
                // The parent is gone.
                thread.interrupt();
            }
        }
    }
}
