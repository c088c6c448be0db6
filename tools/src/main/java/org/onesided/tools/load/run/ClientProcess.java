package org.onesided.tools.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.onesided.waiting.Interruptible;

/**
 * A client process, as its parent sees it. Its messages go to the parent's queue.
 */
final class ClientProcess
{
    private static final long LONGEST_END_S = 20;

    private final Process process;
    private final Thread reader;
    private final BlockingQueue<Event> events;
    private final int number;
    private final OutputStream orders;

    /**
     * An event of a client process.
     *
     * @param number   of the process.
     * @param message  sent; null if the process has ended.
     * @param exitCode if it has ended.
     */
    record Event(int number, ClientMessage message, int exitCode)
    {
    }

    ClientProcess(final List<String> command, final int number, final BlockingQueue<Event> events)
        throws IOException
    {
        this.number = number;
        this.events = events;
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        orders = process.getOutputStream();
        reader = new Thread(this::read, "load-client-" + number);
        reader.start();
    }

    /** Sends the process an order. If it has ended, its event reports that. */
    void order(final String order)
    {
        try
        {
            orders.write((order + '\n').getBytes(UTF_8));
            orders.flush();
        }
        catch (final IOException e)
        {
            // The process has ended or will soon; the reader reports it.
            process.destroy();
        }
    }

    /** Ends the process and waits for it. */
    void close()
    {
        try
        {
            orders.close();
        }
        catch (final IOException e)
        {
            process.destroy();
        }
        if (!Interruptible.await(() -> process.waitFor(LONGEST_END_S, TimeUnit.SECONDS)))
        {
            process.destroyForcibly();
        }
        Interruptible.joinToTheEnd(reader);
    }

    private void read()
    {
        try (BufferedReader messages = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)))
        {
            for (String line = messages.readLine(); line != null; line = messages.readLine())
            {
                events.add(new Event(number, ClientMessage.parse(line), 0));
            }
        }
        catch (final IOException e)
        {
            process.destroyForcibly();
        }
        events.add(new Event(number, null, awaitExit()));
    }

    private int awaitExit()
    {
        while (true)
        {
            try
            {
                return process.waitFor();
            }
            catch (final InterruptedException e)
            {
                // Nothing interrupts this thread; it ends with the process.
                process.destroyForcibly();
            }
        }
    }
}
