package org.onesided.server.shard.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.testing.HangGuard;
import org.onesided.testing.JavaCommand;

/** A {@link ReplicaMember} in a process of its own, as the test sees it. */
final class ReplicaProcess implements AutoCloseable
{
    private static final long PATIENCE_S = HangGuard.seconds(60);
    private static final long JOIN_MS = 10_000;

    private final Path directory;
    private final long number;
    private final String address;
    private final Process process;
    private final Writer input;
    private final Thread reader;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
    private final AtomicInteger installed = new AtomicInteger();
    private final AtomicInteger commands = new AtomicInteger();
    private final List<String> others = new ArrayList<>();

    /**
     * @param directory of the member.
     * @param number    of the member.
     * @param members   as number@port; only itself, if it joins.
     * @param isJoining whether it begins without a vote.
     * @throws IOException if the process does not start.
     */
    ReplicaProcess(final Path directory, final long number, final List<String> members, final boolean isJoining)
        throws IOException
    {
        this.directory = directory;
        this.number = number;
        address = members.stream().filter((member) -> member.startsWith(number + "@")).findFirst().orElseThrow();
        final List<String> arguments = new ArrayList<>(List.of(directory.toString(), Long.toString(number)));
        if (isJoining)
        {
            arguments.add("joining");
        }
        arguments.addAll(members);
        process = new ProcessBuilder(JavaCommand.of(
            List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=" + System.getProperty("replica.log", "error")),
            ReplicaMember.class.getName(), arguments))
            .redirectErrorStream(true).start();
        input = process.outputWriter(StandardCharsets.UTF_8);
        reader = new Thread(this::read, "member-" + number);
        reader.setDaemon(true);
        reader.start();
    }

    private void read()
    {
        try (BufferedReader lines = new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
        {
            String line = lines.readLine();
            for (; line != null; line = lines.readLine())
            {
                onLine(line);
            }
        }
        catch (final IOException e)
        {
            // It was killed.
            others.add(e.toString());
        }
        answers.values().forEach((answer) -> answer.complete("LOST the process has ended"));
    }

    private void onLine(final String line)
    {
        final int end = line.indexOf(' ');
        if (line.equals("ready"))
        {
            ready.countDown();
        }
        else if (line.equals("installed"))
        {
            installed.getAndIncrement();
        }
        else if (end > 0 && line.substring(0, end).matches("\\d+"))
        {
            answers.get(Integer.parseInt(line.substring(0, end))).complete(line.substring(end + 1));
        }
        else
        {
            synchronized (others)
            {
                others.add(line);
            }
            System.out.println("member " + number + ": " + line);
        }
    }

    void awaitReady() throws InterruptedException
    {
        assertTrue(ready.await(PATIENCE_S, TimeUnit.SECONDS), () -> "member does not start: " + others);
    }

    /** Begins a command; the future has its answer, or a line that begins with LOST. */
    CompletableFuture<String> begin(final String command)
    {
        final int id = commands.incrementAndGet();
        final CompletableFuture<String> answer = new CompletableFuture<>();
        answers.put(id, answer);
        try
        {
            input.write(id + " " + command + "\n");
            input.flush();
        }
        catch (final IOException e)
        {
            answer.complete("LOST " + e);
        }
        if (!process.isAlive())
        {
            answer.complete("LOST the process has ended");
        }
        return answer;
    }

    String call(final String command) throws InterruptedException
    {
        return await(begin(command));
    }

    static String await(final CompletableFuture<String> answer) throws InterruptedException
    {
        try
        {
            return answer.get(PATIENCE_S, TimeUnit.SECONDS);
        }
        catch (final ExecutionException | TimeoutException e)
        {
            throw new AssertionError("there is no answer", e);
        }
    }

    boolean leads() throws InterruptedException
    {
        return process.isAlive() && call("role").equals("leads");
    }

    long number()
    {
        return number;
    }

    String address()
    {
        return address;
    }

    Path directory()
    {
        return directory;
    }

    int installed()
    {
        return installed.get();
    }

    /** Stops it, or lets it go on. */
    void signal(final String name) throws IOException, InterruptedException
    {
        final Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertTrue(kill.waitFor(PATIENCE_S, TimeUnit.SECONDS), "kill does not end");
        assertEquals(0, kill.exitValue());
    }

    /** Kills it at once. */
    void kill() throws InterruptedException
    {
        process.destroyForcibly();
        assertTrue(process.waitFor(PATIENCE_S, TimeUnit.SECONDS), "the process does not end");
        reader.join(JOIN_MS);
    }

    @Override
    public void close()
    {
        try
        {
            kill();
            input.close();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        catch (final IOException e)
        {
            others.add(e.toString());
        }
    }
}
