package org.onesided.documentation;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command line in a block of a page, and what the page shows below it.
 *
 * @param page  its name.
 * @param line  of the page, from 1.
 * @param host  on which it is typed, empty where the page does not say.
 * @param text  what is typed behind the prompt; several lines where they belong together.
 * @param shown lines below it, up to the next command.
 */
record ShownCommand(String page, int line, String host, String text, List<String> shown)
{
    /** What is typed to the store's shell. */
    private static final Pattern TYPED = Pattern.compile("[\\w.]+:\\d+> (.*)");

    /** Lines that are typed once the command runs. */
    List<String> typed()
    {
        return shown.stream().map(TYPED::matcher).filter(Matcher::matches).map(typed -> typed.group(1)).toList();
    }

    /** Lines that it is said to print. */
    List<String> output()
    {
        final List<String> output = new ArrayList<>(shown);
        output.removeIf(each -> TYPED.matcher(each).matches());
        while (!output.isEmpty() && output.get(output.size() - 1).isBlank())
        {
            output.remove(output.size() - 1);
        }
        return output;
    }

    /** Its calls of programs. */
    List<ShellCall> calls()
    {
        return ShellCall.of(text);
    }

    /** Its text without comments and needless blanks, by which it is known. */
    String name()
    {
        return ShellCall.withoutComments(text).strip().replaceAll("\\s+", " ");
    }

    boolean asksForExitCode()
    {
        return name().equals("echo $?");
    }

    String place()
    {
        return page + ":" + line + ": " + name();
    }
}
