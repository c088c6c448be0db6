package org.onesided.endtoend.faults;

import java.io.IOException;
import java.time.Duration;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.testing.HangGuard;

/**
 * A process that puts and gets, says {@code working} when it does, and goes on until there is a byte on its standard
 * input; then it says {@code done}. Whatever is done to it meanwhile, it must not get a wrong answer.
 */
public final class WorkingClient
{
    private WorkingClient()
    {
    }

    /**
     * @param arguments address of the server, device.
     * @throws IOException if standard input cannot be read.
     */
    public static void main(final String[] arguments) throws IOException
    {
        try (StoreClient client = StoreClient.builder()
            .server(arguments[0])
            .device(arguments[1])
            .deadline(Duration.ofSeconds(HangGuard.seconds(60)))
            .build())
        {
            int unknown = 0;
            for (int i = 0; System.in.available() == 0; i++)
            {
                unknown += step(client, i);
                if (i == 100)
                {
                    System.out.println("working");
                    System.out.flush();
                }
            }
            // From here on nothing disturbs it; but what did may show only now.
            unknown += step(client, 0);
            client.put("worked", "well");
            System.out.println("well".equals(client.get("worked")) ? "done " + unknown : "lost");
        }
        catch (final RuntimeException | AssertionError e)
        {
            e.printStackTrace();
            System.out.println("failed " + e);
        }
        System.out.flush();
    }

    /** One put, and a look at what is there then; 1 if nobody knows whether the put took effect. */
    private static int step(final StoreClient client, final int i)
    {
        final String before = client.get("working");
        final String value = "value-" + i;
        int unknown = 0;
        try
        {
            client.put("working", value);
        }
        catch (final StoreException e)
        {
            if (e.writeFate() != WriteFate.UNKNOWN)
            {
                throw e;
            }
            unknown = 1;
        }
        final String after = client.get("working");
        if (!value.equals(after) && (unknown == 0 || before != null && !before.equals(after)))
        {
            throw new AssertionError("put " + value + " over " + before + ", found " + after);
        }
        return unknown;
    }
}
