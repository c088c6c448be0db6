package org.onesided.endtoend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.onesided.client.StoreClient;
import org.onesided.testing.HangGuard;

/**
 * A process with many clients, which prints what threads these have, and what threads are left afterwards.
 */
final class ManyClients
{
    /** Names of threads of clients. */
    static final String OWN = "(onesided|shm|tcp).*";

    private static final int ROUNDS = 20;

    private ManyClients()
    {
    }

    private static List<String> newThreads(final Set<Thread> before)
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter((thread) -> !before.contains(thread))
            .map(Thread::getName)
            .sorted()
            .toList();
    }

    /**
     * The threads while all clients carry asynchronous operations out, in the round with the fewest: where the machine
     * lets the threads wait for a core, there are more for a moment.
     */
    private static List<String> busyThreads(final List<StoreClient> clients, final Set<Thread> before)
    {
        List<String> fewest = null;
        for (int round = 0; round < ROUNDS; round++)
        {
            final List<CompletableFuture<?>> futures = new ArrayList<>();
            for (int i = 0; i < clients.size(); i++)
            {
                futures.add(clients.get(i).async().put("key-" + i, "round-" + round));
                futures.add(clients.get(i).async().get("key-" + i));
            }
            final List<String> names = newThreads(before);
            fewest = fewest == null || names.size() < fewest.size() ? names : fewest;
            futures.forEach(CompletableFuture::join);
        }
        return fewest;
    }

    /**
     * @param args the server, the device, and how many clients.
     * @throws InterruptedException never.
     */
    public static void main(final String[] args) throws InterruptedException
    {
        final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
        final List<StoreClient> clients = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[2]); i++)
        {
            clients.add(StoreClient.builder()
                .server(args[0]).device(args[1]).mirrorBytes(0).deadline(Duration.ofSeconds(60)).build());
        }
        for (int i = 0; i < clients.size(); i++)
        {
            clients.get(i).put("key-" + i, "value-" + i);
        }
        for (int i = 0; i < clients.size(); i++)
        {
            final String value = clients.get(clients.size() - 1 - i).get("key-" + i);
            if (!value.equals("value-" + i))
            {
                throw new IllegalStateException("wrong value: " + value);
            }
        }
        System.out.println("open " + newThreads(before));
        System.out.println("busy " + busyThreads(clients, before));
        // One client's end is none of the others' concern.
        clients.remove(0).close();
        clients.get(0).get("key-0");
        clients.get(0).async().get("key-0").join();
        clients.forEach(StoreClient::close);
        // The JVM's own that came meanwhile are of no concern.
        final long endNs = System.nanoTime() + HangGuard.nanos(60);
        while (newThreads(before).stream().anyMatch((name) -> name.matches(OWN)) && System.nanoTime() - endNs < 0)
        {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        System.out.println("left " + newThreads(before));
    }
}
