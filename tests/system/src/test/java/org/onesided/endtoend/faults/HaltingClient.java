package org.onesided.endtoend.faults;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.onesided.chaos.ChaosDevice;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.testing.HangGuard;

/**
 * A process of clients, one for each phase that is asked for: each goes there, says so in a line of standard output,
 * and does nothing more. Waits to be killed.
 */
public final class HaltingClient
{
    private static final Object OUTPUT = new Object();

    private HaltingClient()
    {
    }

    /**
     * @param arguments address of the server, device, names of phases.
     */
    public static void main(final String[] arguments)
    {
        warmUp(arguments[0], arguments[1]);
        for (int i = 2; i < arguments.length; i++)
        {
            final Phase phase = Phase.valueOf(arguments[i]);
            new Thread(() -> run(arguments[0], arguments[1], phase), "client-" + phase).start();
        }
    }

    /** On a busy machine a JVM's first connection takes longer than the server waits; those that follow do not. */
    private static void warmUp(final String address, final String device)
    {
        boolean isWarm = false;
        while (!isWarm)
        {
            try (StoreClient client = client(address, device))
            {
                client.contains("present");
                isWarm = true;
            }
            catch (final StoreConnectException e)
            {
                // Too slow: once more.
            }
        }
    }

    private static StoreClient client(final String address, final String device)
    {
        return StoreClient.builder()
            .server(address)
            .device(device)
            .deadline(Duration.ofSeconds(HangGuard.seconds(120)))
            .build();
    }

    private static void run(final String address, final String device, final Phase phase)
    {
        try
        {
            if (phase.isOfHandshake())
            {
                haltAt(phase);
            }
            final StoreClient client = client(address, device);
            haltAt(phase);
            phase.enter(client);
            if (phase != Phase.IDLE)
            {
                say("passed " + phase);
            }
            halt(phase);
        }
        catch (final RuntimeException e)
        {
            e.printStackTrace();
            say("failed " + phase + " " + e);
        }
    }

    private static void haltAt(final Phase phase)
    {
        final int[] count = new int[1];
        ChaosDevice.hook((step) ->
        {
            if (step == phase.step() && ++count[0] == phase.times())
            {
                halt(phase);
            }
        });
    }

    private static void halt(final Phase phase)
    {
        say("at " + phase);
        while (true)
        {
            LockSupport.park();
        }
    }

    private static void say(final String line)
    {
        synchronized (OUTPUT)
        {
            System.out.println(line);
            System.out.flush();
        }
    }
}
