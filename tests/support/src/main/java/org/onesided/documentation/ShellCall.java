package org.onesided.documentation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One call of a program in a line for a POSIX shell.
 *
 * @param words its program and arguments, without quotes; without assignments before it and redirections.
 */
record ShellCall(List<String> words)
{
    private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_]\\w*=.*", Pattern.DOTALL);
    private static final Pattern KVCTL = Pattern.compile("(\\S*/)?kvctl");
    private static final Set<String> SEPARATORS = Set.of("|", "||", "&&", "&", ";", "\n", "(", ")");
    private static final Set<String> REDIRECTIONS = Set.of("<", ">", ">>");

    /** The calls of a text in their order, those in {@code <(...)} among them. */
    static List<ShellCall> of(final String text)
    {
        final List<ShellCall> calls = new ArrayList<>();
        List<String> words = new ArrayList<>();
        boolean isTarget = false;
        for (final Token token : tokens(text))
        {
            if (token.isOperator() && SEPARATORS.contains(token.text()))
            {
                add(calls, words);
                words = new ArrayList<>();
                isTarget = false;
            }
            else if (token.isOperator())
            {
                isTarget = true;
            }
            else if (isTarget)
            {
                isTarget = false;
            }
            else if (!words.isEmpty() || !ASSIGNMENT.matcher(token.text()).matches())
            {
                words.add(token.text());
            }
        }
        add(calls, words);
        return calls;
    }

    /** The text without what stands behind a # at the start of a word. */
    static String withoutComments(final String text)
    {
        final StringBuilder without = new StringBuilder();
        int from = 0;
        for (final Token token : tokens(text))
        {
            without.append(text, from, token.end());
            from = token.end();
            if (token.comment() > 0)
            {
                without.append(text, from, text.indexOf('#', from));
                from = token.comment();
            }
        }
        return without.append(text.substring(from)).toString();
    }

    String program()
    {
        return words.get(0);
    }

    boolean isKvctl()
    {
        return KVCTL.matcher(program()).matches();
    }

    /** Arguments of the kvctl that it calls itself or has called by its path; null if there is none. */
    List<String> kvctlArguments()
    {
        for (int i = 0; i < words.size(); i++)
        {
            if (KVCTL.matcher(words.get(i)).matches() && (i == 0 || words.get(i).contains("/")))
            {
                return words.subList(i + 1, words.size());
            }
        }
        return null;
    }

    private static void add(final List<ShellCall> calls, final List<String> words)
    {
        if (!words.isEmpty())
        {
            calls.add(new ShellCall(List.copyOf(words)));
        }
    }

    /** Comment: where the one that follows ends, 0 if none does. */
    private record Token(String text, boolean isOperator, int end, int comment)
    {
    }

    private static List<Token> tokens(final String text)
    {
        final List<Token> tokens = new ArrayList<>();
        int i = 0;
        while (i < text.length())
        {
            final char c = text.charAt(i);
            if (c == '\\' && text.startsWith("\n", i + 1))
            {
                i += 2;
            }
            else if (c == ' ' || c == '\t')
            {
                i++;
            }
            else if (c == '#')
            {
                final int lineEnd = text.indexOf('\n', i);
                final int end = lineEnd < 0 ? text.length() : lineEnd;
                final Token last = tokens.isEmpty() ?
                    new Token("\n", true, 0, 0) : tokens.remove(tokens.size() - 1);
                tokens.add(new Token(last.text(), last.isOperator(), last.end(), end));
                i = end;
            }
            else if ("|&;\n()<>".indexOf(c) >= 0)
            {
                final boolean isDouble = "|&>".indexOf(c) >= 0 && text.startsWith(String.valueOf(c), i + 1);
                i += isDouble ? 2 : 1;
                tokens.add(new Token(text.substring(i - (isDouble ? 2 : 1), i), true, i, 0));
            }
            else
            {
                i = word(text, i, tokens);
            }
        }
        return tokens;
    }

    private static int word(final String text, final int start, final List<Token> tokens)
    {
        final StringBuilder word = new StringBuilder();
        char quote = 0;
        int i = start;
        while (i < text.length() && (quote != 0 || " \t|&;\n()<>".indexOf(text.charAt(i)) < 0))
        {
            final char c = text.charAt(i);
            if (quote == 0 && (c == '\'' || c == '"'))
            {
                quote = c;
            }
            else if (c == quote)
            {
                quote = 0;
            }
            else if (c == '\\' && quote != '\'' && i + 1 < text.length())
            {
                i++;
                word.append(text.charAt(i));
            }
            else
            {
                word.append(c);
            }
            i++;
        }
        // What stands before a redirection is its stream's number.
        if (i < text.length() && REDIRECTIONS.contains(text.substring(i, i + 1)) && word.toString().matches("\\d"))
        {
            return i;
        }
        tokens.add(new Token(word.toString(), false, i, 0));
        return i;
    }
}
