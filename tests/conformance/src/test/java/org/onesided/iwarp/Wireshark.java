package org.onesided.iwarp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onesided.testing.HangGuard;

/**
 * Wireshark's programs: {@code dumpcap} records what goes over a loopback address, {@code tshark} tells what it was.
 */
final class Wireshark implements AutoCloseable
{
    /** What no record but the last one holds. */
    private static final String LAST = "the last packet of this capture";
    private static final int LAST_PORT = 9;

    private final Process dumpcap;
    private final String address;
    private final Path file;

    private Wireshark(final Process dumpcap, final String address, final Path file)
    {
        this.dumpcap = dumpcap;
        this.address = address;
        this.file = file;
    }

    /**
     * Starts to record.
     *
     * @param address of the loopback network.
     * @param file    to write.
     * @return what records.
     * @throws IOException if it cannot be had: it is not there, or may not.
     */
    static Wireshark record(final String address, final Path file) throws IOException
    {
        Files.deleteIfExists(file);
        final Process dumpcap = new ProcessBuilder(
            "dumpcap", "-q", "-i", "lo", "-B", "64", "-f", "host " + address, "-w", file.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        final StringBuilder said = new StringBuilder();
        final BufferedReader errors = dumpcap.errorReader(UTF_8);
        String line = errors.readLine();
        // It says so once packets are recorded.
        while (line != null && !line.startsWith("File: "))
        {
            said.append(line).append(' ');
            line = errors.readLine();
        }
        if (line == null)
        {
            throw new IOException("dumpcap does not record: " + said);
        }
        return new Wireshark(dumpcap, address, file);
    }

    /** Waits until all that was sent before is in the file. */
    Path stop() throws IOException, InterruptedException
    {
        final byte[] last = LAST.getBytes(UTF_8);
        try (DatagramSocket socket = new DatagramSocket())
        {
            final long endNs = System.nanoTime() + HangGuard.nanos(60);
            boolean isThere = false;
            while (!isThere)
            {
                if (System.nanoTime() - endNs > 0)
                {
                    throw new IOException("the last packet is not recorded: file=" + file);
                }
                socket.send(new DatagramPacket(last, last.length, InetAddress.getByName(address), LAST_PORT));
                // It writes to the file twice a second.
                Thread.sleep(100);
                isThere = Files.exists(file) &&
                    new String(Files.readAllBytes(file), ISO_8859_1).contains(LAST);
            }
        }
        close();
        return file;
    }

    /**
     * All that is to be told of MPA, DDP and RDMAP, as people read it.
     *
     * @param recorded the file.
     * @return lines.
     * @throws IOException if tshark fails.
     */
    static List<String> tell(final Path recorded) throws IOException, InterruptedException
    {
        return run(recorded, List.of("-Y", "iwarp_mpa", "-O", "iwarp_mpa,iwarp_ddp_rdmap"));
    }

    /**
     * Has a file dissected.
     *
     * @param recorded the file.
     * @param filter   of Wireshark's language.
     * @param fields   to print of each frame, separated by tabulators; if there are several of one, by commas.
     * @return a line for each frame.
     * @throws IOException if tshark fails.
     */
    static List<String> dissect(final Path recorded, final String filter, final String... fields)
        throws IOException, InterruptedException
    {
        final List<String> options = new ArrayList<>(List.of("-Y", filter, "-T", "fields"));
        for (final String field : fields)
        {
            options.addAll(List.of("-e", field));
        }
        return run(recorded, options);
    }

    /**
     * Does what is typed at a shell.
     *
     * @param command a line.
     * @param folder  to run in.
     * @return what is printed.
     * @throws IOException if it fails.
     */
    static String type(final String command, final Path folder) throws IOException, InterruptedException
    {
        final Process shell = new ProcessBuilder("sh", "-c", command)
            .directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        final String printed = new String(shell.getInputStream().readAllBytes(), UTF_8);
        if (!shell.waitFor(HangGuard.seconds(60), TimeUnit.SECONDS) || shell.exitValue() != 0)
        {
            shell.destroyForcibly();
            throw new IOException("failed: " + command);
        }
        return printed;
    }

    private static List<String> run(final Path recorded, final List<String> options)
        throws IOException, InterruptedException
    {
        // By what it is, and not by a port that happens to be another protocol's.
        final List<String> command = new ArrayList<>(List.of(
            "tshark", "-n", "-r", recorded.toString(), "-2", "-o", "tcp.try_heuristic_first:TRUE"));
        // Otherwise it takes what is SENT for one of these, and finds it wanting.
        for (final String guess : List.of("rpcordma", "smb_direct", "iser"))
        {
            command.addAll(List.of("--disable-protocol", guess));
        }
        command.addAll(options);
        final Process tshark =
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        final List<String> lines = tshark.inputReader(UTF_8).lines().toList();
        if (!tshark.waitFor(HangGuard.seconds(60), TimeUnit.SECONDS) || tshark.exitValue() != 0)
        {
            tshark.destroyForcibly();
            throw new IOException("tshark failed: " + String.join(" ", command));
        }
        return lines;
    }

    @Override
    public void close()
    {
        dumpcap.destroy();
        try
        {
            if (!dumpcap.waitFor(HangGuard.seconds(20), TimeUnit.SECONDS))
            {
                dumpcap.destroyForcibly();
            }
        }
        catch (final InterruptedException e)
        {
            dumpcap.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
