package org.onesided.endtoend.storm;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.agrona.CloseHelper;
import org.onesided.client.StoreClient;
import org.onesided.client.StoreClientBuilder;
import org.onesided.client.exceptions.StoreException;
import org.onesided.protocol.bootstrap.TlsOptions;

/**
 * Clients of one process that all connect at once, each in a thread of its own, when a line comes over standard input.
 * Prints {@code ready}, then {@code connected CLIENTS FAILURES MILLISECONDS}, keeps them until the next line or the
 * end, looks one key up with each, and prints {@code done CLIENTS FAILURES}.
 *
 * <p>Arguments: server, device, clients, the deadline in milliseconds, and perhaps the file with the authority.
 */
public final class StormProcess
{
    private StormProcess()
    {
    }

    /**
     * @param arguments as above.
     * @throws Exception if it cannot go on.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final int count = Integer.parseInt(arguments[2]);
        final StoreClientBuilder builder = StoreClient.builder()
            .server(arguments[0])
            .device(arguments[1])
            .mirrorBytes(1 << 20)
            .deadline(Duration.ofMillis(Long.parseLong(arguments[3])));
        if (arguments.length > 4)
        {
            builder.tls(TlsOptions.DEFAULT.authorities(Path.of(arguments[4])));
        }
        // Java's own start is not what is measured: classes are loaded before.
        builder.build().close();
        final List<StoreClient> clients = Collections.synchronizedList(new ArrayList<>());
        final List<String> failures = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch begin = new CountDownLatch(1);
        final Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++)
        {
            threads[i] = new Thread(() ->
            {
                try
                {
                    begin.await();
                    clients.add(builder.build());
                }
                catch (final InterruptedException | RuntimeException e)
                {
                    failures.add(e.getMessage());
                }
            }, "storm-" + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        System.out.println("ready");
        System.in.read();
        final long startNs = System.nanoTime();
        begin.countDown();
        for (final Thread thread : threads)
        {
            thread.join();
        }
        System.out.println("connected " + clients.size() + " " + failures.size() + " " +
            (System.nanoTime() - startNs) / 1_000_000);
        failures.stream().distinct().limit(5).forEach(System.err::println);
        System.in.read();
        int failed = 0;
        for (final StoreClient client : clients)
        {
            try
            {
                failed += client.get("no such key") == null ? 0 : 1;
            }
            catch (final StoreException e)
            {
                System.err.println(e.getMessage());
                failed++;
            }
        }
        System.out.println("done " + clients.size() + " " + failed);
        System.in.read();
        CloseHelper.quietCloseAll(clients);
    }
}
