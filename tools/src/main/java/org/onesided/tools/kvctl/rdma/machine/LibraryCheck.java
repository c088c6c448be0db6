package org.onesided.tools.kvctl.rdma.machine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks for libibverbs and its providers, the user-space drivers, one per kind of device.
 */
record LibraryCheck(Host host) implements Check
{
    private static final String TOPIC = "libibverbs";
    private static final String LIBRARY = "libibverbs.so.1";
    private static final List<String> DIRECTORIES = List.of(
        "/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/lib64",
        "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib", "/usr/local/lib");

    @Override
    public List<Finding> findings()
    {
        for (final String directory : directories())
        {
            if (host.files().exists(directory + "/" + LIBRARY))
            {
                return List.of(Finding.pass(TOPIC, directory + "/" + LIBRARY), providers());
            }
        }
        return List.of(Finding.fail(TOPIC, LIBRARY + " is not there", install()));
    }

    private Finding providers()
    {
        final Set<String> providers = new LinkedHashSet<>();
        for (final String directory : directories())
        {
            for (final String name : host.files().names(directory + "/libibverbs"))
            {
                final int end = name.indexOf("-rdmav");
                if (name.startsWith("lib") && end > 0)
                {
                    providers.add(name.substring("lib".length(), end));
                }
            }
        }
        return providers.isEmpty() ?
            Finding.fail("providers", "libibverbs has no providers, so it finds no device", install()) :
            Finding.pass("providers", String.join(" ", providers));
    }

    private Advice install()
    {
        return Advice.of("install it, as root:", host.packages().verbs().toArray(String[]::new));
    }

    /** The directories of the system, then those that the administrator added. */
    private List<String> directories()
    {
        final List<String> directories = new ArrayList<>(DIRECTORIES);
        for (final String name : host.files().names("/etc/ld.so.conf.d"))
        {
            host.files().lines("/etc/ld.so.conf.d/" + name).stream().map(String::strip)
                .filter(line -> line.startsWith("/") && !directories.contains(line)).forEach(directories::add);
        }
        return directories;
    }
}
