# A provider for the example in the README: it speaks MCP on standard input and
# output, in 0.1, and knows one answer.
while read -r line; do
  echo '{"jsonrpc":"2.0","id":7,"result":{"contents":[{"uri":"app://notes/current","text":"{\"protocol\":\"0.1\",\"instance\":\"n\",\"items\":[{\"id\":\"a\",\"type\":\"note\"}],\"focus\":[]}"}]}}'
done
