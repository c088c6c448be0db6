package org.onesided.linearizability.mutation;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.ProjectFolder;

/**
 * A part of what {@code tests/run mutations} does: every mutation fits the sources and compiles, and one is found.
 */
@Timeout(1000)
class MutationsTest
{
    private final Path root = ProjectFolder.ROOT;
    private final Mutations mutations = mutations();

    @TempDir
    private Path directory;

    @Test
    void shouldFitTheSources() throws IOException
    {
        final List<Mutation> all = mutations.all();
        assertTrue(all.size() >= 13, "mutations=" + all.size());
        for (final Mutation mutation : all)
        {
            mutation.apply(new HashMap<>(), root);
        }
        final List<Mutation> kills = mutations.kills();
        assertTrue(kills.size() >= 5, "mutations=" + kills.size());
        for (final Mutation mutation : kills)
        {
            mutation.apply(new HashMap<>(), root);
        }
        final List<Mutation> plug = mutations.in(Mutations.PLUG);
        assertTrue(plug.size() >= 1, "mutations=" + plug.size());
        for (final Mutation mutation : plug)
        {
            mutation.apply(new HashMap<>(), root);
        }
        final List<Mutation> stress = mutations.in("stress");
        assertTrue(stress.size() >= 3, "mutations=" + stress.size());
        for (final Mutation mutation : stress)
        {
            mutation.apply(new HashMap<>(), root);
        }
    }

    /** A bug that no compiler takes is found by no run. Those in other files than each other's go together. */
    @Tag("full")
    @Test
    void shouldCompile() throws IOException
    {
        final List<Mutation> left = new ArrayList<>();
        for (final String folder : List.of("", Mutations.UNIT, Mutations.KILLS, Mutations.PLUG, "stress"))
        {
            left.addAll(mutations.in(folder));
        }
        while (!left.isEmpty())
        {
            final List<Mutation> together = new ArrayList<>();
            final Set<String> sources = new HashSet<>();
            for (final Mutation mutation : left)
            {
                if (Collections.disjoint(sources, mutation.hunks().keySet()))
                {
                    together.add(mutation);
                    sources.addAll(mutation.hunks().keySet());
                }
            }
            left.removeAll(together);
            new MutatedClasses(root, together).close();
        }
    }

    @Test
    void shouldNameTestsThatThereAre() throws IOException
    {
        final List<Mutation> unit = mutations.unit();
        assertTrue(unit.size() >= 8, "mutations=" + unit.size());
        for (final Mutation mutation : unit)
        {
            mutation.apply(new HashMap<>(), root);
            final String source = Files.readString(mutation.test().source(root));
            assertTrue(source.contains("void " + mutation.test().method() + "("), mutation::name);
        }
    }

    @Tag("full")
    @Test
    void shouldFindABugByTheTestThatItNames() throws IOException
    {
        final Mutation mutation = mutations.unit().stream().filter(m -> m.name().equals("lent-extent-moves"))
            .findFirst().orElseThrow();
        assertNotEquals("", mutations.failure(mutation));
    }

    @Tag("full")
    @Test
    void shouldFindABug() throws IOException
    {
        final Mutation mutation = mutations.all().stream().filter(m -> m.name().equals("no-check")).findFirst()
            .orElseThrow();
        final List<Mutations.Outcome> outcomes = mutations.run(mutation, 1);
        assertTrue(outcomes.get(0).isCaught(), () -> "operations=" + outcomes.get(0).operations());
    }

    @Test
    void shouldRefuseAMutationThatDoesNotFit() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("wrong.txt"),
            "Wrong\nfile pom.xml\n<<<<\nno such text\n====\n>>>>\n");
        final Mutation mutation = Mutation.read(file);
        final IOException e = assertThrows(IOException.class, () -> mutation.apply(new HashMap<>(), root));
        assertTrue(e.getMessage().contains("mutation=wrong source=pom.xml times=0"), e.getMessage());
    }

    private Mutations mutations()
    {
        try
        {
            return new Mutations(root, true);
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
