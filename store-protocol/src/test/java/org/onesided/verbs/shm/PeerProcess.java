package org.onesided.verbs.shm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.ReliableConnection;

/**
 * Another Java process that runs {@link PeerMain}.
 */
final class PeerProcess implements AutoCloseable
{
    final Process process;
    final Endpoint endpoint;
    final long address;
    final int remoteKey;
    private final BufferedReader output;
    private final PrintStream input;

    PeerProcess(final String mode) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            System.getProperty("java.home") + "/bin/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
            "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        final String base = System.getProperty(ContextPaths.BASE_PROPERTY);
        if (base != null)
        {
            command.add("-D" + ContextPaths.BASE_PROPERTY + "=" + base);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), PeerMain.class.getName(), mode));
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        final String line = output.readLine();
        endpoint = Endpoints.parse(line);
        final String[] words = line.split(" ");
        address = Long.parseLong(words[8]);
        remoteKey = Integer.parseInt(words[9]);
    }

    void connect(final Node node) throws IOException
    {
        final Endpoint own = node.endpoint();
        // For ever, so that only the peer's end ends a send that finds no receive.
        final ConnectionOptions options = Node.options().rnr(7, 12);
        ReliableConnection.initialise(node.queuePair, options);
        for (int i = 0; i < 8; i++)
        {
            node.receive(100 + i, 8192 + i * 1024, 1024);
        }
        input.println(Endpoints.format(endpoint));
        input.println(Endpoints.format(own));
        if (!"ready".equals(output.readLine()))
        {
            throw new IOException("the peer did not become ready");
        }
        ReliableConnection.connect(node.queuePair, own, endpoint, options);
    }

    void signal(final String name) throws IOException, InterruptedException
    {
        final int exit = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
        if (exit != 0)
        {
            throw new IOException("kill failed");
        }
    }

    @Override
    public void close()
    {
        process.destroyForcibly().onExit().join();
    }
}
