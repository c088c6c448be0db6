package org.onesided.library;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.onesided.client.StoreClient;
import org.onesided.junit.OnesidedServer;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.server.StoreServer;
import org.onesided.testing.ProjectFolder;

/**
 * A package whose public types are for applications.
 *
 * @param module that has it.
 * @param name   of the package.
 */
record PublicApi(String module, String name)
{
    /** All such packages. */
    static final List<PublicApi> ALL = List.of(
        new PublicApi("store-client", "org.onesided.client"),
        new PublicApi("store-client", "org.onesided.client.exceptions"),
        new PublicApi("store-client", "org.onesided.client.types"),
        new PublicApi("store-client", "org.onesided.client.typed"),
        new PublicApi("store-client", "org.onesided.client.jcache"),
        new PublicApi("store-client", "org.onesided.client.micrometer"),
        new PublicApi("store-junit", "org.onesided.junit"),
        new PublicApi("store-server", "org.onesided.server"));

    private static final String SOURCE = ".java";

    /** Its public types in the order of their names, those that are nested in others behind these. */
    List<Class<?>> types()
    {
        final List<Class<?>> types = new ArrayList<>();
        for (final Path source : sources())
        {
            final String file = source.getFileName().toString();
            if (!file.equals("package-info.java"))
            {
                add(types, load(name + "." + file.substring(0, file.length() - SOURCE.length())));
            }
        }
        if (types.isEmpty())
        {
            throw new IllegalStateException("no public type: package=" + name);
        }
        return types;
    }

    /** Its source files in the order of their names. */
    List<Path> sources()
    {
        final Path folder =
            ProjectFolder.ROOT.resolve(module).resolve("src/main/java").resolve(name.replace('.', '/'));
        try (Stream<Path> files = Files.list(folder))
        {
            return files.filter(file -> file.toString().endsWith(SOURCE)).sorted().toList();
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("cannot list the sources of " + name, e);
        }
    }

    /** The jar or the folder of classes that this build has made of a module. */
    static Path classes(final String module)
    {
        final Class<?> one = switch (module)
        {
            case "store-client" -> StoreClient.class;
            case "store-junit" -> OnesidedServer.class;
            case "store-protocol" -> Token.class;
            default -> StoreServer.class;
        };
        try
        {
            return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        }
        catch (final URISyntaxException e)
        {
            throw new IllegalStateException("not a path: " + one, e);
        }
    }

    private static void add(final List<Class<?>> types, final Class<?> type)
    {
        if (Modifier.isPublic(type.getModifiers()))
        {
            types.add(type);
            Arrays.stream(type.getDeclaredClasses()).sorted((one, other) -> one.getName().compareTo(other.getName()))
                .forEach(nested -> add(types, nested));
        }
    }

    static Class<?> load(final String name)
    {
        try
        {
            return Class.forName(name, false, PublicApi.class.getClassLoader());
        }
        catch (final ClassNotFoundException e)
        {
            throw new IllegalStateException("not compiled: " + name, e);
        }
    }
}
