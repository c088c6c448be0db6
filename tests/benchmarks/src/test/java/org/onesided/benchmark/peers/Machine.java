package org.onesided.benchmark.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells what a run was measured on and with.
 */
final class Machine
{
    private static final Pattern LIBRARY =
        Pattern.compile("/(chronicle-map|chronicle-values|jedis|xmemcached)-([0-9][^/]*)\\.jar(?=:|$)");

    private static final Pattern VERSION = Pattern.compile("[0-9]+(\\.[0-9]+)+");

    private Machine()
    {
    }

    static Map<String, Object> facts() throws IOException
    {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("processor", field(Path.of("/proc/cpuinfo"), "model name"));
        facts.put("cores", (double)Runtime.getRuntime().availableProcessors());
        facts.put("memory", field(Path.of("/proc/meminfo"), "MemTotal"));
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("system", field(Path.of("/etc/os-release"), "PRETTY_NAME").replace("\"", ""));
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        facts.put("transparent huge pages", chosen("/sys/kernel/mm/transparent_hugepage/enabled"));
        facts.put("  in shared memory", chosen("/sys/kernel/mm/transparent_hugepage/shmem_enabled"));
        facts.put("reserved huge pages", field(Path.of("/proc/meminfo"), "HugePages_Total"));
        return facts;
    }

    /**
     * @param classPath file with the peers' class path.
     * @return versions of the peers and of their clients.
     */
    static Map<String, Object> peers(final Path classPath) throws IOException
    {
        final Map<String, Object> versions = new LinkedHashMap<>();
        for (final String program : List.of("redis-server", "memcached"))
        {
            final Optional<String> path = PeerServer.find(program);
            versions.put(program, path.isEmpty() ? "missing" : version(path.get()));
        }
        final Matcher matcher = LIBRARY.matcher(Files.readString(classPath).trim());
        while (matcher.find())
        {
            versions.put(matcher.group(1), matcher.group(2));
        }
        return versions;
    }

    /** How many threads wanted to run in the last minute; on a quiet machine few. */
    static String load() throws IOException
    {
        return Files.readString(Path.of("/proc/loadavg")).split(" ")[0];
    }

    private static String version(final String program) throws IOException
    {
        final Matcher matcher = VERSION.matcher(PeerServer.output(List.of(program, "--version")));
        return matcher.find() ? matcher.group() : "unknown";
    }

    private static String field(final Path file, final String name) throws IOException
    {
        if (!Files.isReadable(file))
        {
            return "unknown";
        }
        for (final String line : Files.readAllLines(file))
        {
            final String[] parts = line.split("[:=]", 2);
            if (parts.length == 2 && parts[0].trim().equals(name))
            {
                return parts[1].trim();
            }
        }
        return "unknown";
    }

    /** The word in brackets. */
    private static String chosen(final String file) throws IOException
    {
        final Path path = Path.of(file);
        if (!Files.isReadable(path))
        {
            return "unknown";
        }
        final String text = Files.readString(path);
        return text.substring(text.indexOf('[') + 1, text.indexOf(']'));
    }
}
