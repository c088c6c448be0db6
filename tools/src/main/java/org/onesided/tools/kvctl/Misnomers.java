package org.onesided.tools.kvctl;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/**
 * What users probably mean by a command that does not exist: one that other stores have under that name, or one with a
 * typing mistake.
 */
final class Misnomers
{
    private static final int MAX_MISTAKES = 2;

    /** Names in other stores and tools: the command here, and how it is called for that purpose. */
    private static final Map<String, String> ELSEWHERE = Map.ofEntries(
        Map.entry("set", "put"),
        Map.entry("setex", "put --ttl TIME KEY VALUE"),
        Map.entry("setnx", "put --if-absent KEY VALUE"),
        Map.entry("add", "put --if-absent KEY VALUE"),
        Map.entry("replace", "put --if-present KEY VALUE"),
        Map.entry("cas", "put --if-version VERSION KEY VALUE"),
        Map.entry("gets", "get --show-version KEY"),
        // Otherwise the nearest command would be getdel, which deletes.
        Map.entry("getset", "get --show-version KEY, then put --if-version VERSION KEY VALUE"),
        Map.entry("mset", "mput"),
        Map.entry("del", "delete"),
        Map.entry("rm", "delete"),
        Map.entry("remove", "delete"),
        Map.entry("unlink", "delete"),
        Map.entry("exists", "ttl KEY, whose exit code is 3 if the key is absent"),
        Map.entry("scan", "export --prefix TEXT"),
        Map.entry("keys", "export --prefix TEXT"),
        Map.entry("list", "export --prefix TEXT"),
        Map.entry("ls", "export --prefix TEXT"),
        Map.entry("dump", "export"),
        Map.entry("incrby", "incr KEY N"),
        Map.entry("decr", "incr KEY -1"),
        Map.entry("decrby", "incr KEY -N"),
        Map.entry("expire", "touch KEY TIME"),
        Map.entry("pexpire", "touch KEY TIME"),
        Map.entry("pttl", "ttl -o json KEY"),
        Map.entry("info", "stats"),
        Map.entry("status", "stats"),
        Map.entry("dbsize", "stats"),
        Map.entry("monitor", "stats --watch"),
        Map.entry("save", "snapshot"),
        Map.entry("bgsave", "snapshot"),
        Map.entry("cli", "shell"),
        Map.entry("bench", "load"),
        Map.entry("benchmark", "load"),
        Map.entry("start", "server"),
        Map.entry("serve", "server"));

    private Misnomers()
    {
    }

    /**
     * @param word     that is no command.
     * @param commands that there are.
     * @param group    of the commands, with a blank behind it; empty in a shell.
     * @return a hint that can follow a message, or nothing.
     */
    static String hint(final String word, final Collection<String> commands, final String group)
    {
        final String lower = word.toLowerCase(Locale.ROOT);
        final String known = ELSEWHERE.get(lower);
        if (known != null && commands.contains(known.split(" ")[0]))
        {
            return ", use " + group + known;
        }
        String nearest = null;
        int fewest = Math.min(MAX_MISTAKES, lower.length() / 3) + 1;
        for (final String command : commands)
        {
            final int mistakes = mistakes(lower, command);
            if (mistakes < fewest)
            {
                fewest = mistakes;
                nearest = command;
            }
        }
        return nearest == null ? "" : ", did you mean " + group + nearest + "?";
    }

    /** How many letters to insert, remove or replace to make one word of the other. */
    private static int mistakes(final String word, final String other)
    {
        int[] above = new int[other.length() + 1];
        for (int i = 0; i < above.length; i++)
        {
            above[i] = i;
        }
        for (int i = 1; i <= word.length(); i++)
        {
            final int[] row = new int[above.length];
            row[0] = i;
            for (int j = 1; j < row.length; j++)
            {
                final int replaced = above[j - 1] + (word.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[other.length()];
    }
}
